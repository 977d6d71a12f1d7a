package dev.abacus.topology.live;

import static dev.abacus.topology.Await.until;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.topology.model.ScriptedModelClient;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is counted of groups, which aggregates make of documents. */
class GroupsTest {

  private static final String PROGRAM =
      """
      program: groups
      sources: { docs: { topic: in } }
      results: { topic: out }
      governor: { judge: 1.0 }
      operators:
        - filter: keep
          condition: Keep it.
          reads: [text]
        - aggregate: daily
          by: [who]
          window: { tumbling: 10s }
          instruction: Summarise.
          reads: [text]
          writes: { summary: string }
          compute: { n: count }
        - filter: many
          condition: It was more than one.
          reads: [n]
        - limit: 1
      """;

  @TempDir Path state;
  private @Nullable Pipeline pipeline;

  @AfterEach
  void close() {
    if (pipeline != null) {
      pipeline.close();
    }
  }

  private Pipeline open() {
    Pipeline opened = new Pipeline(state, PROGRAM);
    pipeline = opened;
    return opened
        .operator(
            "keep",
            document ->
                document.get("text").asText().equals("drop") ? List.of() : List.of(document))
        .operator("daily", GroupsTest::summary)
        .operator("many", group -> group.get("n").asInt() < 2 ? List.of() : List.of(group));
  }

  private static List<Document> summary(Document group) {
    var rest = group.toJson().put("summary", "S");
    rest.remove("members");
    return List.of(Document.of(rest));
  }

  private static void run(Pipeline p) {
    p.send("in", "1", "{\"who\":\"ann\",\"text\":\"a\"}", 1);
    p.send("in", "2", "{\"who\":\"ann\",\"text\":\"b\"}", 2);
    p.send("in", "3", "{\"who\":\"bob\",\"text\":\"a\"}", 3);
    p.send("in", "4", "{\"who\":\"cleo\",\"text\":\"a\"}", 4);
    p.send("in", "5", "{\"who\":\"cleo\",\"text\":\"b\"}", 5);
    p.send("in", "6", "{\"who\":\"dan\",\"text\":\"drop\"}", 6);
    p.watermark("in", 10);
  }

  @Test
  void groupsThatAreLeftOutAreCountedApartFromDocuments() {
    Pipeline p = open();
    assertThat(p.filteredGroups()).isNull();

    run(p);

    assertThat(p.results()).hasSize(1);
    assertThat(p.filtered()).as("of dan").isEqualTo(1);
    assertThat(p.filteredGroups()).as("of bob, and of whom the limit left out").isEqualTo(2);
  }

  /** Six documents pass a filter, four groups their model, and three of them another filter. */
  @Test
  void workIsCountedBySourceDocument() {
    Pipeline p = open();

    run(p);

    EpochCounts counts = p.counters.status("p", "i", Instant.EPOCH, "", 1L).epochs().getFirst();
    assertThat(counts.done().sources()).isEqualTo(6);
    assertThat(counts.done().costUsd()).isCloseTo(p.cost(), within(1e-9)).isPositive();
    assertThat(counts.documents()).as("outcomes are not documents").isNotEqualTo(6);
  }

  @Test
  void whatAModelWroteAboutAGroupIsJudgedLive() {
    Pipeline p = open().judged(ScriptedModelClient.always(say("{\"score\": 0.5}")));

    run(p);

    assertThat(judgedOfDaily(p, 3).quality()).isEqualTo(1.5);
  }

  /** Judging goes on beside the documents. */
  private static QualityCounts judgedOfDaily(Pipeline p, int wanted) {
    Supplier<QualityCounts> now =
        () ->
            p.counters.status("p", "i", Instant.EPOCH, "", 1L).quality().stream()
                .filter(counts -> counts.operator().equals("daily"))
                .findFirst()
                .orElse(QualityCounts.none(1, "daily"));
    until(() -> now.get().judged() == wanted);
    return now.get();
  }
}
