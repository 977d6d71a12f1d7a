package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;

/** Two processors that share a stream thread; one stands still. */
class BackpressureTest {

  private static final Duration SLICE = Duration.ofMillis(100);

  private final RuntimeServices services =
      new RuntimeServices(
          new FairScheduler(10, Runnable::run),
          "program",
          new StreamThreads(),
          PendingMemory.ofProcess(),
          ReceiptLog.NONE,
          RuntimeListener.NONE,
          new RefusedRecords(),
          Commits.immediately(),
          Ownership.ALONE,
          InstantSource.system(),
          SurvivingStore::new);

  private static void add(
      Topology topology, String name, ScriptedWork work, int bound, RuntimeServices services) {
    RuntimeSettings settings = RuntimeSettings.defaults().withPendingBound(bound).withSlice(SLICE);
    topology
        .addSource(name + "-source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), name)
        .addProcessor(
            name,
            new AsyncProcessorSupplier(name + "-pending", work, settings, services),
            name + "-source")
        .addSink(
            name.equals("slow") ? ScriptedWork.RESULTS : ScriptedWork.RESULTS + "-of-" + name,
            name + "-out",
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            name);
  }

  private TopologyTestDriver driver() {
    ScriptedWork still = new ScriptedWork();
    still.unready.add(1L);
    ScriptedWork quick = new ScriptedWork();
    quick.script =
        (job, context) ->
            ScriptedWork.to(ScriptedWork.RESULTS + "-of-quick", job.input(), job.input().value());
    Topology topology = new Topology();
    add(topology, "slow", still, 10, services);
    add(topology, "quick", quick, 1000, services);
    return new TopologyTestDriver(topology, Harness.config(), Harness.START);
  }

  private static TestInputTopic<String, String> input(TopologyTestDriver driver, String name) {
    return driver.createInputTopic(name, new StringSerializer(), new StringSerializer());
  }

  /** How long the thread is held up by one more record. */
  private static Duration held(TestInputTopic<String, String> topic) {
    long start = System.nanoTime();
    topic.pipeInput("k", "v");
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Test
  void aTaskThatStandsStillHoldsItsThreadUpForShortWhileANeighbourHasWork() {
    try (TopologyTestDriver driver = driver()) {
      TestInputTopic<String, String> still = input(driver, "slow");
      TestInputTopic<String, String> quick = input(driver, "quick");
      still.pipeInput("k", "v"); // loads classes
      for (int i = 1; i < 9; i++) {
        assertThat(held(still)).isLessThan(SLICE.dividedBy(2));
      }

      quick.pipeInput("k", "v");
      assertThat(held(still))
          .as("at the bound, with a busy neighbour")
          .isLessThan(SLICE.dividedBy(2));

      assertThat(held(still)).as("with an idle neighbour").isGreaterThanOrEqualTo(SLICE);
    }
  }

  @Test
  void theFurtherBeyondTheBoundTheLongerTheSlice() {
    try (TopologyTestDriver driver = driver()) {
      TestInputTopic<String, String> still = input(driver, "slow");
      TestInputTopic<String, String> quick = input(driver, "quick");
      for (int i = 0; i < 20; i++) {
        quick.pipeInput("k", "v");
        still.pipeInput("k", "v");
      }
      quick.pipeInput("k", "v");
      // 11 beyond a bound of 10, where 90 beyond would make a full slice.
      assertThat(held(still)).isBetween(SLICE.dividedBy(9), SLICE.multipliedBy(9).dividedBy(10));
    }
  }
}
