package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prompts that ask for all items that match a document. */
class MatchedItemsTest {

  private static final int DOCUMENTS = 60;
  private static final int ITEMS = 10;
  private static final int EASY = 4;
  private static final String CONDITION = "The item suits the letter.";
  private static final String WEAK = "mixtral-8x7b";

  @TempDir private Path folder;
  private SimulatedEndpoint endpoint;
  private Client client;

  @BeforeEach
  void start() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < DOCUMENTS; i++) {
      rows.append(
          "{\"id\":\"d%d\",\"document\":{\"text\":\"%s\"},\"conditions\":{\"%s\":%s},\"difficulty\":{\"%s\":%s}}\n"
              .formatted(
                  i, text("letter", i), CONDITION, partners(i), CONDITION, i == EASY ? 0 : 0.4));
    }
    for (int i = 0; i < ITEMS; i++) {
      rows.append(
          "{\"id\":\"i%d\",\"document\":{\"text\":\"%s\"}}\n".formatted(i, text("item", i)));
    }
    Path file = folder.resolve("answers.jsonl");
    Files.writeString(file, rows);
    endpoint =
        SimulatedEndpoint.start(
            SimulatorOptions.DEFAULTS.withAnswers(file).withSpeed(Double.POSITIVE_INFINITY));
    client = new Client(endpoint);
  }

  @AfterEach
  void stop() {
    client.close();
    endpoint.close();
  }

  /** Twelve words that no other text has. */
  private static String text(String kind, int number) {
    SplittableRandom random = new SplittableRandom(kind.hashCode() * 31L + number);
    StringBuilder words = new StringBuilder(kind);
    for (int i = 0; i < 12; i++) {
      words.append(' ');
      random.ints(7, 'a', 'z' + 1).forEach(letter -> words.append((char) letter));
    }
    return words.toString();
  }

  private static Set<Integer> matches(int document) {
    return Set.of(document % ITEMS, (document + 1 + document % 3) % ITEMS);
  }

  private static String partners(int document) {
    return matches(document).stream().map(item -> "\"i" + item + "\"").toList().toString();
  }

  private static RequestBuilder request(String model, String form, String properties) {
    RequestBuilder ask = RequestBuilder.filter(model).ofFormat(form, properties);
    return new RequestBuilder(
        model,
        0,
        ask.format(),
        ask.schema(),
        "Decide.\n<condition>\n" + CONDITION + "\n</condition>",
        ask.user());
  }

  /** The numbers of the items that a model names, from 0; null if the answer has a format error. */
  private @Nullable Set<Integer> named(String model, int document, List<Integer> items)
      throws IOException {
    StringBuilder listed = new StringBuilder();
    for (int i = 0; i < items.size(); i++) {
      listed.append(
          "<item n=\"%d\">\n{\"text\":\"%s\"}\n</item>\n"
              .formatted(i + 1, text("item", items.get(i))));
    }
    JsonNode answer =
        client.answer(
            request(
                    model,
                    "item_matches",
                    "\"items\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}")
                .about(text("letter", document))
                .with(listed.toString()));
    if (!answer.path("items").isArray()) {
      return null;
    }
    Set<Integer> named = new HashSet<>();
    answer.path("items").forEach(number -> named.add(items.get(number.intValue() - 1)));
    return named;
  }

  /** Whether a pair matches; missing if the answer has a format error. */
  private JsonNode pair(String model, int document, int item) throws IOException {
    return client
        .answer(
            request(model, "filter_decision", "\"satisfied\":{\"type\":\"boolean\"}")
                .about(text("letter", document))
                .about(text("item", item)))
        .path("satisfied");
  }

  @Test
  void anAnswerNamesTheItemsThatMatchOrNone() throws IOException {
    assertThat(named("gpt-5", EASY, List.of(3, 4, 6, 8))).isEqualTo(matches(EASY)).hasSize(2);
    assertThat(named("gpt-5", EASY, List.of(3, 8))).isEmpty();
  }

  @Test
  void aPairThatIsRightAmongOthersIsRightAlone() throws IOException {
    List<Integer> all = IntStream.range(0, ITEMS).boxed().toList();
    int alone = 0;
    int together = 0;
    for (int document = 0; document < DOCUMENTS; document++) {
      Set<Integer> named = named(WEAK, document, all);
      for (int item : all) {
        boolean matches = matches(document).contains(item);
        JsonNode pair = pair(WEAK, document, item);
        if (named == null || !pair.isBoolean()) {
          continue;
        }
        alone += pair.booleanValue() == matches ? 0 : 1;
        if (named.contains(item) == matches) {
          assertThat(pair.booleanValue() == matches).as("d%d with i%d", document, item).isTrue();
        } else {
          together++;
        }
      }
    }
    assertThat(alone).isPositive();
    assertThat(together).isGreaterThan(alone).isLessThan(DOCUMENTS * ITEMS / 2);
  }
}
