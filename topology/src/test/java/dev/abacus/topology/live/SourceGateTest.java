package dev.abacus.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.document.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A version of a program that ends. The test driver numbers records anew after each restart. */
class SourceGateTest {

  private static final String MAP =
      """
      program: p
      sources: { in: { topic: in } }
      results: { topic: out }
      operators:
        - map: title
          instruction: Title?
          reads: [text]
          writes: { title: string }
      """;
  private static final String AGGREGATE =
      """
        - aggregate: sums
          window: { tumbling: 10s }
          compute: { n: count }
      """;

  @TempDir Path state;
  private final List<Integer> ended = new ArrayList<>();
  private @Nullable Pipeline pipeline;

  private Pipeline open(String yaml) {
    Pipeline opened = new Pipeline(state, yaml).operator("title", SourceGateTest::titled);
    pipeline = opened;
    return opened;
  }

  private static List<Document> titled(Document document) {
    return List.of(document);
  }

  @AfterEach
  void close() {
    if (pipeline != null) {
      pipeline.close();
    }
  }

  @Test
  void aVersionThatEndsFinishesWhatItAdmittedAndIgnoresWhatFollows() {
    Pipeline p = open(MAP);
    p.hold = true;
    p.send("in", "a", "{\"text\":\"1\"}", 1);
    assertThat(p.results()).isEmpty();

    p.endAt("in", 0, ended);
    p.send("in", "b", "{\"text\":\"2\"}", 2);

    assertThat(p.results()).containsExactly("a {\"text\":\"1\"}");
    assertThat(ended).containsExactly(0);
  }

  @Test
  void itClosesItsWindowsAndReportsItsEndAgainAfterARestart() {
    Pipeline p = open(MAP + AGGREGATE);
    p.send("in", "a", "{\"text\":\"1\"}", 1);
    p.send("in", "b", "{\"text\":\"2\"}", 2);
    assertThat(p.results()).isEmpty();

    p.endAt("in", 0, ended);

    assertThat(p.results()).containsExactly("all {\"n\":2}");
    assertThat(ended).containsExactly(0);
    p.restart();
    p.pass(java.time.Duration.ofSeconds(1));
    assertThat(p.results()).isEmpty();
    assertThat(ended).hasSizeGreaterThan(1).containsOnly(0);
  }

  @Test
  void aWatermarkOfAUserIsNeverTheEnd() {
    Pipeline p = open(MAP + AGGREGATE);
    p.send("in", "a", "{\"text\":\"1\"}", 1);
    p.watermark("in", Long.toString(Long.MAX_VALUE));
    assertThat(p.results()).containsExactly("all {\"n\":1}");

    p.endAt("in", 0, ended);

    assertThat(ended).containsExactly(0);
  }
}
