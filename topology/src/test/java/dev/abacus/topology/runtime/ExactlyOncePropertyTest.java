package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.program.Settings.Ordering;
import dev.abacus.topology.runtime.Harness.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random admissions, completions, commits, clean restarts and crashes. A crash goes back to the
 * last commit: store, results and position in the input together, as a transaction does. Work of
 * dead processes runs on in between.
 */
class ExactlyOncePropertyTest {

  private static final int RECORDS = 200;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void nothingIsLostOrDoubledAndKeysKeepTheirOrder(long seed) {
    Scenario scenario = new Scenario(new Random(seed), Ordering.KEY);
    List<Sent> sent = scenario.play();

    assertThat(scenario.counted).as("committed results that were counted").isEqualTo(RECORDS);

    assertThat(sent).extracting(Sent::value).containsExactlyInAnyOrderElementsOf(allValues());
    Map<String, Integer> last = new HashMap<>();
    for (Sent result : sent) {
      if (result.key() != null && result.value() != null) {
        int now = Integer.parseInt(result.value());
        Integer before = last.put(result.key(), now);
        assertThat(before == null || before < now).as("%s after %s", result, before).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void nothingIsLostOrDoubledWithoutOrder(long seed) {
    List<Sent> sent = new Scenario(new Random(seed), Ordering.NONE).play();

    assertThat(sent).extracting(Sent::value).containsExactlyInAnyOrderElementsOf(allValues());
  }

  private static List<String> allValues() {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      values.add(Integer.toString(i));
    }
    return values;
  }

  /** One random history. */
  private static final class Scenario {
    private final RandomGenerator random;
    private final RuntimeSettings settings;
    private final ScriptedWork work = new ScriptedWork();
    private final SurvivingStores stores = new SurvivingStores();
    private final List<ManualExecutor> dead = new ArrayList<>();
    private final List<Sent> sent = new ArrayList<>();

    private final Commits commits = Commits.ofTransactions();
    private Harness harness;
    private int counted;
    private int position;
    private Map<String, NavigableMap<Bytes, byte[]>> committedStores;
    private int committedPosition;
    private int committedSent;

    Scenario(RandomGenerator random, Ordering ordering) {
      this.random = random;
      settings =
          RuntimeSettings.defaults()
              .withOrdering(ordering)
              .withSlice(Duration.ZERO)
              .withPendingBound(1 + random.nextInt(30));
      committedStores = stores.snapshot();
      work.epochs = input -> input.offset() % 2 == 0 ? Work.UNSTAMPED : input.offset() % 3;
      work.script = this::run;
      harness = open();
    }

    /** Each record is processed in two steps, both of one epoch. */
    private Completion run(PendingRecord record, WorkContext context) {
      byte[] half = context.restoredCheckpoint();
      if (half == null) {
        context.checkpoint(new byte[] {(byte) record.epoch()});
      } else {
        assertThat(record.epoch()).as("epoch of the second step").isEqualTo(half[0]);
      }
      return ScriptedWork.copied(record).whenCommitted(() -> counted++);
    }

    private Harness open() {
      ManualExecutor executor = new ManualExecutor();
      dead.add(executor);
      FairScheduler budget = new FairScheduler(1 + random.nextInt(20), executor);
      return Harness.over(work)
          .stores(stores)
          .settings(settings)
          .scheduler(budget)
          .commits(commits)
          .open();
    }

    List<Sent> play() {
      while (position < RECORDS) {
        step();
      }
      work.unready.clear();
      harness.tick();
      while (dead.getLast().started() > 0) {
        dead.getLast().runAll();
        collect();
      }
      commits.committed();
      harness.close();
      assertThat(stores.size()).isZero();
      return sent;
    }

    private void step() {
      switch (random.nextInt(20)) {
        case 0 -> crash();
        case 1 -> restart();
        case 2 -> work.unready.add((long) random.nextInt(3));
        case 3, 4 -> work.unready.clear();
        case 5 -> commit();
        case 6 -> work.stamp = random.nextLong(10, 15);
        case 7, 8, 9 -> collect();
        case 10 -> dead.get(random.nextInt(dead.size())).runAny(random);
        case 11, 12, 13 -> dead.getLast().runAny(random);
        default -> admit();
      }
    }

    private void admit() {
      // The key depends on the position alone: after a crash the same record comes again.
      int key = new Random(position).nextInt(5);
      harness.send(key == 4 ? null : "k" + key, Integer.toString(position));
      position++;
    }

    private void collect() {
      harness.tick();
      sent.addAll(harness.sent());
    }

    private void commit() {
      commits.committed();
      sent.addAll(harness.sent());
      committedStores = stores.snapshot();
      committedPosition = position;
      committedSent = sent.size();
    }

    private void restart() {
      commit();
      harness.close();
      harness = open();
    }

    private void crash() {
      harness.close();
      commits.aborted();
      stores.revertTo(committedStores);
      position = committedPosition;
      sent.subList(committedSent, sent.size()).clear();
      harness = open();
    }
  }
}
