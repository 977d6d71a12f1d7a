package dev.abacus.topology.spending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.program.Spending;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The cap over all workers, in virtual time, against the book of the endpoint. */
class SpendingAccountTest {

  private static final long CAP = 1_000_000;
  private static final int WINDOW = 2_000;
  private static final Spending SPENDING = spending(CAP);

  private static Spending spending(long nanoUsd) {
    return new Spending(nanoUsd / 1e9, null, Duration.ofMillis(WINDOW));
  }

  @Property(tries = 100)
  void noWindowIsChargedMoreThanTheCapAndWhatCallsInFlightExceedTheirEstimate(@ForAll long seed) {
    Random random = new Random(seed);
    SpendingCluster cluster = new SpendingCluster(SPENDING);
    cluster.delay = 1 + random.nextInt(20);
    boolean exact = random.nextBoolean();
    long price = random.nextLong(1, 40_001);
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      cluster.worker();
    }
    for (int i = 0; i < 5 * WINDOW; i++) {
      cluster.step();
      List<SpendingCluster.Worker> workers = cluster.workers();
      SpendingCluster.Worker worker = workers.get(random.nextInt(workers.size()));
      for (int burst = random.nextInt(4); burst > 0; burst--) {
        long cost = exact ? price : random.nextLong(2 * price);
        worker.call(price, cost, 1 + random.nextInt(400));
      }
      if (random.nextInt(500) == 0) {
        worker.kill();
        cluster.worker();
      } else if (random.nextInt(900) == 0) {
        worker.close();
        cluster.worker();
      }
    }
    for (long from = 0; from < cluster.now; from += WINDOW) {
      assertThat(cluster.charged(from, from + WINDOW))
          .as("charged from %d", from)
          .isLessThanOrEqualTo(CAP + cluster.excess(from, from + WINDOW));
    }
  }

  @Property(tries = 50)
  void everyWindowIsUsedWhateverHappenedBefore(@ForAll long seed) {
    Random random = new Random(seed);
    SpendingCluster cluster = new SpendingCluster(SPENDING);
    cluster.worker();
    cluster.worker();
    for (int window = 0; window < 4; window++) {
      long from = cluster.now;
      for (int i = 0; i < WINDOW; i++) {
        cluster.step();
        cluster.workers().forEach(worker -> worker.call(10_000, 9_000, 100));
      }
      assertThat(cluster.charged(from, from + WINDOW)).isGreaterThan(CAP * 7 / 10);
      if (random.nextBoolean()) {
        List.copyOf(cluster.workers()).forEach(SpendingCluster.Worker::kill);
        cluster.worker();
        cluster.worker();
      }
    }
  }

  @Test
  void aBurstIsSpentToTheCapInEachWindow() {
    SpendingCluster cluster = new SpendingCluster(SPENDING);
    SpendingCluster.Worker worker = cluster.worker();
    for (int window = 0; window < 3; window++) {
      long from = cluster.now;
      for (int i = 0; i < WINDOW; i++) {
        cluster.step();
        worker.call(1_000, 1_000, 200);
      }
      assertThat(cluster.charged(from, from + WINDOW)).isBetween(CAP * 99 / 100, CAP);
    }
  }

  @Test
  void workersThatAreKilledDoNotOpenTheCapAgain() {
    SpendingCluster cluster = new SpendingCluster(SPENDING);
    List<SpendingCluster.Worker> both = List.of(cluster.worker(), cluster.worker());
    for (int i = 0; i < 300; i++) {
      cluster.step();
      both.forEach(worker -> worker.call(1_000, 1_000, 300));
    }
    both.forEach(SpendingCluster.Worker::kill);
    List<SpendingCluster.Worker> next = List.of(cluster.worker(), cluster.worker());
    while (cluster.now < WINDOW) {
      next.forEach(worker -> worker.call(1_000, 1_000, 300));
      cluster.step();
    }
    assertThat(cluster.charged(0, WINDOW)).isBetween(CAP * 7 / 10, CAP);
    assertThat(cluster.charged(301, WINDOW)).as("after the kill").isPositive();
  }

  @Test
  void aCallThatCostsMoreThanTheCapStartsOnceInAWindow() {
    SpendingCluster cluster = new SpendingCluster(SPENDING);
    SpendingCluster.Worker worker = cluster.worker();
    int started = 0;
    for (int i = 0; i < 3 * WINDOW; i++) {
      cluster.step();
      started += worker.call(5 * CAP, 5 * CAP, 100) ? 1 : 0;
    }
    assertThat(started).isEqualTo(3);
  }

  @Test
  void aClockThatJumpsBackDoesNotGrantASecondBudget() {
    SpendingCluster cluster = new SpendingCluster(SPENDING);
    SpendingCluster.Worker worker = cluster.worker();
    for (int i = 0; i < WINDOW + 1_000; i++) {
      cluster.step();
      worker.call(1_000, 1_000, 200);
    }
    assertThat(cluster.charged(WINDOW, cluster.now + 1)).isGreaterThan(CAP * 9 / 10);
    cluster.jump = -3 * WINDOW / 2;
    long from = cluster.now + 1;
    for (int i = 0; i < 900; i++) {
      cluster.step();
      worker.call(1_000, 1_000, 200);
    }
    assertThat(cluster.charged(from, cluster.now + 1)).isLessThan(CAP / 10);
    for (int i = 0; i < 2 * WINDOW; i++) {
      cluster.step();
      worker.call(1_000, 1_000, 200);
    }
    assertThat(cluster.charged(from, cluster.now + 1))
        .as("a window ends after its length, whatever the clock says")
        .isBetween(CAP * 9 / 10, 2 * CAP);
  }

  @Test
  void aClockThatJumpsForwardAndBackOpensOneWindow() {
    SpendingCluster cluster = new SpendingCluster(SPENDING);
    SpendingCluster.Worker worker = cluster.worker();
    for (int i = 0; i < 3_000; i++) {
      cluster.jump = i > 800 && i < 1_000 ? 100_000_000L : 0;
      cluster.step();
      worker.call(1_000, 1_000, 200);
    }
    assertThat(cluster.charged(0, cluster.now + 1)).isLessThanOrEqualTo(2 * CAP);
    long from = cluster.now + 1;
    for (int i = 0; i < 2 * WINDOW; i++) {
      cluster.step();
      worker.call(1_000, 1_000, 200);
    }
    assertThat(cluster.charged(from, cluster.now + 1)).isGreaterThan(CAP * 9 / 10);
  }

  @Test
  void anIdleWorkerReturnsItsLease() {
    SpendingCluster cluster = new SpendingCluster(spending(100));
    SpendingCluster.Worker idle = cluster.worker();
    SpendingCluster.Worker busy = cluster.worker();
    cluster.steps(10);
    assertThat(idle.call(60, 60, 10)).isFalse();
    cluster.steps(10);
    assertThat(busy.call(60, 60, 10)).isFalse();
    cluster.steps(1_300);
    boolean called = false;
    for (int i = 0; i < 400 && !called; i++) {
      cluster.step();
      called = busy.call(60, 60, 10);
    }
    assertThat(called).isTrue();
  }

  @Test
  void aLowerCapAppliesAtOnceAndAHigherOneToo() {
    SpendingCluster cluster = new SpendingCluster(SPENDING);
    SpendingCluster.Worker worker = cluster.worker();
    while (cluster.charged(0, WINDOW) < CAP / 2) {
      cluster.step();
      worker.call(1_000, 1_000, 20);
    }
    cluster.cap(spending(CAP / 10));
    assertThat(worker.call(1_000, 1_000, 20)).isFalse();
    cluster.cap(SPENDING);
    cluster.steps(20);
    assertThat(worker.call(1_000, 1_000, 20)).isTrue();
  }

  @Test
  void theProblemNamesTheCapAndTheTimeAtWhichCallsContinue() {
    SpendingCluster cluster = new SpendingCluster(SPENDING);
    SpendingCluster.Worker worker = cluster.worker();
    for (int i = 0; i < 1_900; i++) {
      cluster.step();
      worker.call(10_000, 10_000, 100);
    }
    assertThat(worker.account.problem())
        .isEqualTo(
            "$0.0010 of $0.0010 per 2 s are spent or reserved; calls continue at"
                + " 2027-01-15T08:00:02Z");
  }
}
