package dev.abacus.topology.live;

import static dev.abacus.topology.live.Pipeline.header;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.model.ScriptedModelClient.Line;
import dev.abacus.topology.reference.WordEmbedder;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two streams joined by a condition in words, with the executors that decide the pairs. */
class ConditionalJoinTest {

  private static final String PROGRAM =
      """
      program: p
      sources:
        orders: { topic: in, format: json }
        notes: { topic: in2, format: json }
      operators:
        - join: answered
          input: orders
          with: notes
          within: 60s
          condition: The note answers the order.
          reads: [text]
          kind: left
          into: note
      results: { topic: out, format: json }
      """;
  private static final Line DOWN =
      ScriptedModelClient.fail(new ModelFailure.ServerError(503, "down", null));

  @TempDir private Path directory;
  private @Nullable Pipeline pipeline;

  @AfterEach
  void close() {
    Objects.requireNonNull(pipeline).close();
  }

  private Pipeline open() {
    Pipeline opened = new Pipeline(directory, PROGRAM);
    pipeline = opened;
    return opened;
  }

  /** Says that two texts fit if both speak of apples, and breaks down where one speaks of plums. */
  private static ScriptedModelClient apples() {
    return ScriptedModelClient.always(request -> {
      String words = ScriptedModelClient.words(request);
      boolean both = words.split("apple", -1).length > 2;
      return (words.contains("plum")
              ? DOWN
              : ScriptedModelClient.say("{\"satisfied\": %s}".formatted(both)))
          .answer(request);
    });
  }

  private static void order(Pipeline p, String key, String text, long seconds) {
    p.send("in", key, "{\"id\":\"%s\",\"text\":\"%s\"}".formatted(key, text), seconds);
  }

  private static void note(Pipeline p, String key, String text, long seconds) {
    p.send("in2", key, "{\"text\":\"%s\"}".formatted(text), seconds);
  }

  @Test
  void nestedLoopsAskTheModelAboutEveryPairWithinTheWindow() {
    ScriptedModelClient model = apples();
    Pipeline p = open().operator("answered", new NestedLoopsJoin("gpt-4o"), model);
    order(p, "o1", "apple", 10);
    order(p, "o2", "pear", 10);
    order(p, "o3", "plum", 10);
    note(p, "n1", "apple!", 20);
    note(p, "n2", "apple, late", 100);
    p.watermark("in", 200);
    p.watermark("in2", 200);

    assertThat(p.results())
        .containsExactlyInAnyOrder(
            "o1#n1 {\"id\":\"o1\",\"text\":\"apple\",\"note\":{\"text\":\"apple!\"}}",
            "o2 {\"id\":\"o2\",\"text\":\"pear\"}");
    assertThat(p.letters())
        .singleElement()
        .satisfies(letter -> {
          assertThat(letter.key()).isEqualTo("o3#n1");
          assertThat(header(letter, Headers.OPERATOR)).isEqualTo("answered");
        });
    assertThat(model.requests()).hasSize(3);
    assertThat(model.requests().getFirst().system()).contains("The note answers the order.");
    // Only what the condition reads of the left document, and all of the right one.
    assertThat(ScriptedModelClient.words(model.requests().getFirst()))
        .contains("<field name=\"text\">apple</field>", "<field name=\"text\">apple!</field>")
        .doesNotContain("o1");
  }

  @Test
  void embeddingsDecideWhatTheyCanAndTheModelTheRest() {
    ScriptedModelClient model = apples();
    Pipeline p =
        open()
            .operator(
                "answered",
                new EmbeddingJoin("gpt-4o", "words", 0.2, 0.9),
                model,
                new WordEmbedder("words", 64));
    order(p, "same", "red apple", 10);
    order(p, "near", "green apple", 10);
    order(p, "far", "long yellow banana", 10);
    note(p, "n", "red apple", 11);
    p.watermark("in", 200);
    p.watermark("in2", 200);

    assertThat(p.results())
        .extracting(result -> List.of(result.split(" ", 2)).getFirst())
        .containsExactlyInAnyOrder("same#n", "near#n", "far");
    assertThat(model.requests()).hasSize(1);
    assertThat(ScriptedModelClient.words(model.requests().getFirst())).contains("green apple");
  }

  @Test
  void aPairWithNothingToReadIsADeadLetterAndTheRestGoesOn() {
    Pipeline p = open().operator("answered", new NestedLoopsJoin("gpt-4o"), apples());
    p.send("in", "o1", "{\"id\":\"o1\"}", 10);
    order(p, "o2", "apple", 10);
    note(p, "n", "apple", 11);

    assertThat(p.results())
        .containsExactly("o2#n {\"id\":\"o2\",\"text\":\"apple\",\"note\":{\"text\":\"apple\"}}");
    assertThat(header(p.letters().getFirst(), Headers.EXCEPTION_MESSAGE))
        .contains("none of the fields that the condition reads");
  }
}
