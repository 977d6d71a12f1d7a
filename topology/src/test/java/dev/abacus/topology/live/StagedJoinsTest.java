package dev.abacus.topology.live;

import static dev.abacus.topology.live.Pipeline.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.program.LogicalOperator;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** Joins of streams in programs of several stages. */
class StagedJoinsTest extends StagedFixture {

  private static String join(String more) {
    return HEAD
        + """
          - join: both
            input: docs
            with: others
            within: 10s
            into: other
        MORE
        """
            .replace("MORE", more);
  }

  @Test
  void aPlanRunsAFilterBelowTheJoinOfStreamsBehindWhichItIsWritten() {
    Pipeline p =
        open(HEAD + "  - { join: pairs, input: docs, with: others, within: 10s, on: k }\n" + KEEP);
    List<LogicalOperator> written = p.operators("pairs", "keep");
    p.activate(
        2,
        List.of(
            written.get(1).withInputs(List.of("docs")),
            written.get(0).withInputs(List.of("keep", "others"))));
    p.send("in", "a", "{\"text\":\"drop\",\"k\":1}", 1);
    p.send("in", "b", "{\"text\":\"b\",\"k\":1}", 2);
    for (String key : List.of("x", "y", "z")) {
      p.send("in2", key, "{\"k\":1}", 3);
    }

    assertThat(p.results()).hasSize(3).allMatch(result -> result.startsWith("b#"));
    assertThat(p.ran).filteredOn("keep"::equals).hasSize(2);
  }

  @Test
  void streamsAreJoinedOnEqualKeysWithinTheWindowAlsoOverARestart() {
    Pipeline p = open(join("    on: id"));
    p.send("in", "l1", "{\"id\":1}", 10);
    p.restart();
    p.send("in2", "r1", "{\"id\":1.0,\"r\":1}", 20);
    p.send("in2", "r2", "{\"id\":1,\"r\":2}", 21);
    p.send("in2", "r3", "{\"id\":2,\"r\":3}", 12);
    p.send("in2", "r4", "{\"r\":4}", 12);
    p.send("in", "l2", "{\"id\":2}", 5);

    assertThat(p.results())
        .containsExactly(
            "l1#r1 {\"id\":1,\"other\":{\"id\":1.0,\"r\":1}}",
            "l2#r3 {\"id\":2,\"other\":{\"id\":2,\"r\":3}}");
    p.watermark("in", 1000);
    p.watermark("in2", 1000);
    assertThat(p.size("both-documents", "both-expiries", "both-matched")).isZero();
    p.send("in", "l3", "{\"id\":1}", 5);
    assertThat(header(p.letters().getFirst(), Headers.EXCEPTION)).isEqualTo("LateDocument");
  }

  @Test
  void aLeftJoinSendsADocumentAloneOnceItsWindowHasPassed() {
    Pipeline p = open(join("    on: id\n    kind: left"));
    p.send("in", "l1", "{\"id\":1}", 10);
    p.send("in", "l2", "{\"id\":2}", 10);
    p.send("in", "l3", "{}", 10);
    p.send("in2", "r", "{\"id\":2}", 10);
    assertThat(p.results()).containsExactly("l3 {}", "l2#r {\"id\":2,\"other\":{\"id\":2}}");
    p.watermark("in", 100);
    assertThat(p.results()).isEmpty(); // the right side may still have something
    p.restart();
    p.watermark("in2", 20);
    assertThat(p.results()).isEmpty();
    p.watermark("in2", 21);
    assertThat(p.results()).containsExactly("l1 {\"id\":1}");
    assertThat(p.size("both-documents", "both-expiries", "both-matched")).isZero();
  }

  @Test
  void anIdleStreamDoesNotHoldTheOtherUpForEver() {
    Pipeline p = open(join("    on: id\n    kind: left"));
    p.send("in", "l1", "{\"id\":1}", 10);
    p.send("in", "l2", "{\"id\":2}", 100);
    p.pass(Duration.ofSeconds(2));
    assertThat(p.results()).isEmpty();
    p.send("in", "l3", "{\"id\":2}", 101);
    for (int i = 0; i < 150; i++) {
      p.pass(Duration.ofMillis(500));
    }
    assertThat(p.results()).containsExactly("l1 {\"id\":1}");
  }

  @Test
  void aModelDecidesPairsAndALeftDocumentWithoutAMatchGoesAlone() {
    Pipeline p = open(join("    condition: They fit.\n    kind: left"));
    p.operator(
        "both",
        pair ->
            switch (pair.get("n").intValue() + pair.get("other").path("n").intValue()) {
              case 11 -> List.of(pair);
              case 33 -> null;
              default -> List.of();
            });
    p.hold = true;
    p.send("in", "l1", "{\"n\":1}", 10);
    p.send("in", "l2", "{\"n\":2}", 10);
    p.send("in", "l3", "{\"n\":3}", 10);
    p.send("in2", "r1", "{\"n\":10}", 10);
    p.send("in2", "r3", "{\"n\":30}", 11);
    p.watermark("in", 100);
    p.watermark("in2", 100);
    assertThat(p.results()).isEmpty();
    p.restart();
    p.tick();

    assertThat(p.results())
        .containsExactlyInAnyOrder("l1#r1 {\"n\":1,\"other\":{\"n\":10}}", "l2 {\"n\":2}");
    TestRecord<String, byte[]> letter = p.letters().getFirst();
    assertThat(letter.key()).isEqualTo("l3#r3");
    assertThat(header(letter, Headers.OPERATOR)).isEqualTo("both");
    assertThat(p.ran).hasSize(6);
    assertThat(p.size("both-documents", "both-expiries", "both-matched")).isZero();
    assertThat(p.size("unmatched-both-matched")).isZero();
  }

  @Test
  void aSourceThatGoesTwoWaysIsStampedOnce() {
    Pipeline p =
        open(
            ONE_SOURCE
                + """
                  - filter: keep
                    input: docs
                    condition: Keep it.
                    reads: [text]
                  - map: title
                    input: docs
                    instruction: Give it a title.
                    writes: { title: string }
                  - join: both
                    input: keep
                    with: title
                    within: 1s
                    on: id
                """);
    p.send("in", "k", "{\"id\":1,\"text\":\"t\"}", 1);

    assertThat(p.results())
        .containsExactly(
            "k#k {\"id\":1,\"text\":\"t\",\"title\":{\"id\":1,\"text\":\"t\",\"title\":\"T\"}}");
    assertThat(p.cost()).isCloseTo(0.02, within(1e-9));
  }
}
