package dev.abacus.topology.operator.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnswerTextTest {

  @Test
  void theObjectIsFoundWhateverIsAroundIt() {
    for (String text :
        new String[] {
          "{\"a\": 1}",
          "  \n{\"a\": 1}\n",
          "```json\n{\"a\": 1}\n```",
          "Sure! Here {it} is:\n```\n{\"a\": 1}\n```\nAnything else?",
          "<think>maybe {\"a\": 2}? no</think>\n{\"a\": 1}",
        }) {
      assertThat(AnswerText.object(text)).as(text).isNotNull().hasToString("{\"a\":1}");
    }
  }

  @Test
  void smallSlipsAreForgivenAndValuesNeverGuessed() {
    for (String text :
        new String[] {
          "{\"a\": \"x\\ny\",}", "{'a': 'x\\ny'}", "{a: \"x\\ny\"} // done", "{\"a\": \"x\ny\"}"
        }) {
      assertThat(AnswerText.object(text)).as(text).isNotNull().hasToString("{\"a\":\"x\\ny\"}");
    }
    for (String text : new String[] {"{\"a\": yes}", "{\"a\": True}", "{\"a\" 1}"}) {
      assertThat(AnswerText.object(text)).as(text).isNull();
    }
  }

  @Test
  void whatIsNoObjectIsNone() {
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
      assertThat(AnswerText.object(text)).as(text).isNull();
    }
  }
}
