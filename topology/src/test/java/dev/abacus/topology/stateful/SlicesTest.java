package dev.abacus.topology.stateful;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Work that takes longer than a slice of the stream thread, with restarts between the slices. */
class SlicesTest {

  private static final int MANY = 2_500;

  /** A slice ends when the clock was looked at this many times. */
  private static final int SLICE = 100;

  private static final String HEAD =
      """
      program: slices
      sources: { docs: { topic: in }SOURCES }
      results: { topic: out }
      operators:
      """;
  private static final String AGGREGATE =
      """
        - aggregate: groups
          input: docs
          by: [who]
          window: { WINDOW }
          compute: { n: count, all: list(x) }
      """;
  private static final String JOIN =
      """
        - { join: pairs, input: docs, with: others, within: 1s, on: k, kind: left }
      """;

  @TempDir Path directory;
  private @Nullable OperatorDriver driver;

  @AfterEach
  void close() {
    if (driver != null) {
      driver.close();
    }
  }

  private OperatorDriver open(String operator, int... channels) throws Exception {
    String head = HEAD.replace("SOURCES", channels.length == 1 ? "" : ", others: { topic: in2 }");
    LogicalOperator parsed =
        new ProgramParser(ModelCatalogue.builtIn()).parse(head + operator).operators().getFirst();
    OperatorDriver opened = new OperatorDriver(directory, parsed, channels);
    driver = opened;
    return opened;
  }

  /** Restarts after each third slice, as often as it takes. */
  private static List<String> slices(OperatorDriver driver, int expected) {
    List<String> documents = new ArrayList<>(driver.documents());
    assertThat(driver.watermarks()).isEmpty();
    for (int round = 1; documents.size() < expected; round++) {
      assertThat(round).as("%d of %d", documents.size(), expected).isLessThan(9 + expected);
      if (round % 3 == 0) {
        driver.restart();
      }
      driver.nextRound();
      List<String> more = driver.documents();
      assertThat(more).hasSizeLessThanOrEqualTo(SLICE);
      documents.addAll(more);
    }
    driver.nextRound();
    documents.addAll(driver.documents());
    return documents;
  }

  @Test
  void aWatermarkThatClosesManyWindowsClosesEachOnceAlsoOverRestarts() throws Exception {
    OperatorDriver aggregate = open(AGGREGATE.replace("WINDOW", "tumbling: 1s"), 1);
    for (int i = 0; i < MANY; i++) {
      aggregate.send("k" + i, "{\"who\":\"w%d\",\"x\":%d}".formatted(i, i), i % 10 * 100L);
    }
    aggregate.tick = 1;
    aggregate.watermark(1000);
    // A window that is due is closed, also while its turn has not come.
    aggregate.send("late", "{\"who\":\"w2499\",\"x\":0}", 900);
    assertThat(aggregate.deadLetters()).hasSize(1);
    aggregate.send("next", "{\"who\":\"w2499\",\"x\":0}", 1005);

    List<String> groups = slices(aggregate, MANY);
    assertThat(groups).hasSize(MANY).doesNotHaveDuplicates();
    assertThat(groups).allMatch(group -> group.contains("\"n\":1"));
    assertThat(aggregate.watermarks()).contains(1000L);
    assertThat(aggregate.size("panes", "closings", "members")).isEqualTo(3);
  }

  @Test
  void anOrderedLimitForwardsEachDocumentOnceAndInOrderAlsoOverRestarts() throws Exception {
    OperatorDriver limit =
        open("  - { limit: 2000, input: docs, window: 1s, order: n desc, id: top }", 1);
    for (int i = 0; i < MANY; i++) {
      limit.send("k", "{\"n\":%d}".formatted(i * 7919 % MANY), i % 900);
      if (i % 1000 == 999) {
        limit.restart();
      }
    }
    limit.tick = 1;
    limit.watermark(1000);
    limit.send("k", "{\"n\":9999}", 900);
    assertThat(limit.deadLetters()).hasSize(1);

    List<String> expected =
        IntStream.range(0, 2000).mapToObj(i -> "k {\"n\":%d}".formatted(MANY - 1 - i)).toList();
    assertThat(slices(limit, 2000)).isEqualTo(expected);
    assertThat(limit.watermarks()).contains(1000L);
    assertThat(limit.size("best", "counts")).isZero();
  }

  @Test
  void aSessionThatIsDueTakesNoMoreDocuments() throws Exception {
    OperatorDriver aggregate = open(AGGREGATE.replace("WINDOW", "session: 1s"), 1);
    for (int i = 0; i < 500; i++) {
      aggregate.send("k" + i, "{\"who\":\"w%d\",\"x\":1}".formatted(i), 100);
    }
    aggregate.tick = 1;
    aggregate.watermark(1101);
    aggregate.send("near", "{\"who\":\"w499\",\"x\":2}", 1100);
    assertThat(slices(aggregate, 500)).hasSize(500).allMatch(group -> group.contains("[1]"));
  }

  @Test
  void aDocumentWithManyPartnersMeetsEachOnceAlsoOverRestarts() throws Exception {
    OperatorDriver join = open(JOIN, 1, 1);
    for (int i = 0; i < MANY; i++) {
      join.send(1, "r" + i, "{\"k\":1,\"r\":%d}".formatted(i), 10);
    }
    assertThat(join.documents()).isEmpty();
    join.tick = 1;
    join.send(0, "a", "{\"k\":1,\"l\":1}", 10);
    join.send(0, "b", "{\"k\":1,\"l\":2}", 10);
    join.send(1, "last", "{\"k\":1,\"r\":-1}", 10);
    join.send(0, "alone", "{\"k\":2}", 10);
    join.watermark(0, 0, 5000);
    join.watermark(1, 0, 5000);

    int pairs = 2 * (MANY + 1) + 1;
    List<String> documents = slices(join, pairs);
    assertThat(documents).hasSize(pairs).doesNotHaveDuplicates();
    assertThat(documents.getLast()).isEqualTo("alone {\"k\":2}");
    for (int round = 0; round < MANY && join.size("expiries") > 0; round++) {
      join.nextRound();
    }
    assertThat(join.size("documents", "expiries", "matches", "matched")).isZero();
    assertThat(join.watermarks()).contains(4000L);
  }

  /** Each look at the clock finds the slice over, as with documents that take long to read. */
  @Test
  void eachSliceComesOnHoweverLongItsWorkTakes() throws Exception {
    OperatorDriver aggregate = open(AGGREGATE.replace("WINDOW", "tumbling: 1s"), 1);
    aggregate.send("k", "{\"who\":\"a\",\"x\":1}", 100);
    aggregate.send("k", "{\"who\":\"b\",\"x\":1}", 100);
    aggregate.tick = SLICE;
    aggregate.watermark(1000);
    assertThat(slices(aggregate, 2)).hasSize(2);
    aggregate.close();

    OperatorDriver limit = open("  - { limit: 9, input: docs, window: 1s, order: n, id: top }", 1);
    limit.send("k", "{\"n\":1}", 100);
    limit.send("k", "{\"n\":2}", 100);
    limit.tick = SLICE;
    limit.watermark(1000);
    assertThat(slices(limit, 2)).hasSize(2);
    limit.close();

    OperatorDriver join = open(JOIN, 1, 1);
    join.send(1, "r", "{\"k\":1,\"r\":1}", 10);
    join.send(1, "s", "{\"k\":1,\"r\":2}", 10);
    join.tick = SLICE;
    join.send(0, "a", "{\"k\":1,\"l\":1}", 10);
    assertThat(slices(join, 2)).hasSize(2);
  }
}
