package dev.abacus.topology.operator.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AnswerTextTest {

  @Test
  void theObjectIsFoundInsideOtherText() {
    for (String text :
        new String[] {
          "{\"a\": 1}",
          "  \n{\"a\": 1}\n",
          "```json\n{\"a\": 1}\n```",
          "Sure! Here {it} is:\n```\n{\"a\": 1}\n```\nAnything else?",
          "<think>maybe {\"a\": 2}? no</think>\n{\"a\": 1}",
        }) {
      assertThat(AnswerText.objects(text)).as(text).hasToString("[{\"a\":1}]");
    }
  }

  @Test
  void objectsOneAfterTheOtherAreAllFound() {
    assertThat(AnswerText.objects("first {\"a\": {\"b\": 1}}, then ```{\"a\": 2}``` {\"c\": 3"))
        .hasToString("[{\"a\":{\"b\":1}}, {\"a\":2}]");
  }

  @Test
  void smallSyntaxErrorsAreAcceptedAndValuesNeverGuessed() {
    for (String text :
        new String[] {
          "{\"a\": \"x\\ny\",}", "{'a': 'x\\ny'}", "{a: \"x\\ny\"} // done", "{\"a\": \"x\ny\"}"
        }) {
      assertThat(AnswerText.objects(text)).as(text).hasToString("[{\"a\":\"x\\ny\"}]");
    }
    for (String text : new String[] {"{\"a\": yes}", "{\"a\": True}", "{\"a\" 1}"}) {
      assertThat(AnswerText.objects(text)).as(text).isEmpty();
    }
  }

  @Test
  void textWithoutAnObjectGivesNone() {
    for (String text :
        new String[] {
          "",
          "true",
          "not true",
          "yes",
          "[1]",
          "{\"a\": 1",
          "{\"a\": 1, \"a\": 2}",
          "{".repeat(5000)
        }) {
      assertThat(AnswerText.objects(text)).as(text).isEmpty();
    }
  }

  @Test
  void anyObjectIsFoundInAnyTextWithoutBraces() {
    Random random = new Random(7);
    String noise = "abc \"'[]:,\n\t\\ü😀</think>";
    for (int i = 0; i < 3000; i++) {
      ObjectNode object = object(random, 3);
      String text = noise(random, noise) + object + noise(random, "abc \"'[]{}:,\n\\ü😀");
      assertThat(AnswerText.objects(text).getFirst()).as(text).isEqualTo(object);
    }
  }

  @Test
  void noTextIsRefusedWithAnException() {
    Random random = new Random(8);
    for (int i = 0; i < 5000; i++) {
      assertThat(AnswerText.objects(noise(random, "{}{}[]\"\"':,01ae.-\\\n/* ")))
          .doesNotContainNull();
    }
  }

  private static String noise(Random random, String alphabet) {
    int[] letters = alphabet.codePoints().toArray();
    return random
        .ints(random.nextInt(20), 0, letters.length)
        .mapToObj(letter -> Character.toString(letters[letter]))
        .collect(Collectors.joining());
  }

  private static ObjectNode object(Random random, int depth) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (int i = random.nextInt(4); i > 0; i--) {
      switch (random.nextInt(depth > 0 ? 5 : 4)) {
        case 0 -> object.put("f" + i, noise(random, "{}\"\\ü😀\n a"));
        case 1 -> object.put("f" + i, random.nextInt());
        case 2 -> object.put("f" + i, random.nextBoolean());
        case 3 -> object.putNull("f" + i);
        default -> object.set("f" + i, object(random, depth - 1));
      }
    }
    return object;
  }
}
