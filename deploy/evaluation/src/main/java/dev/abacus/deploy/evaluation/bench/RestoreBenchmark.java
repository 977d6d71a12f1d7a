package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.DocumentFlow.Documents;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.runtime.RuntimeServices;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.processor.StateRestoreListener;

/**
 * Measures how long a worker without state needs until it continues many pending documents. A first
 * worker admits them while its only call does not end, and stops. A second one, with an empty state
 * directory, restores them from the changelog. Broker and workers run in this process; the model is
 * simulated.
 *
 * @param pending number of pending documents
 * @param bytes size of a document, approximately
 * @param progress receives a description of each step
 */
record RestoreBenchmark(int pending, int bytes, int partitions, Consumer<String> progress) {

  private static final int IN_FLIGHT = 500;
  private static final Duration LATENCY = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration CHECK = Duration.ofMillis(100);

  RestoreBenchmark {
    if (pending < 1 || bytes < 0 || partitions < 1) {
      throw new IllegalArgumentException(
          "--pending and --partitions must be above 0, --document-bytes not below 0");
    }
  }

  /**
   * Results. Seconds since the second worker started, in the same JVM.
   *
   * @param records restored records, of all stores
   * @param secondsToRestore until the first store begins to restore: joining the group
   * @param secondsToRestored until the last store is restored
   * @param secondsToFirstResult until the first document has a committed result; the stores of
   *     other partitions may be restored later
   * @param simulated always true: the model calls are simulated
   */
  record Report(
      int pending,
      long records,
      double secondsToRestore,
      double secondsToRestored,
      double secondsToFirstResult,
      boolean simulated) {}

  /** When restoration began and ended, and its records. */
  private static final class Restoration implements StateRestoreListener {

    private final AtomicLong began = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong records = new AtomicLong();

    @Override
    public void onRestoreStart(TopicPartition partition, String store, long from, long to) {
      began.compareAndSet(0, System.nanoTime());
    }

    @Override
    public void onBatchRestored(TopicPartition partition, String store, long end, long batch) {
      // The end tells the total.
    }

    @Override
    public void onRestoreEnd(TopicPartition partition, String store, long total) {
      ended.set(System.nanoTime());
      records.addAndGet(total);
    }

    /**
     * Waits for the stores of all partitions: some process documents before others are restored.
     */
    void await(int least) throws InterruptedException {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (records.get() < least) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "%d of %d records were restored in %d s"
                  .formatted(records.get(), least, PATIENCE.toSeconds()));
        }
        Thread.sleep(CHECK);
      }
    }
  }

  /**
   * Runs the benchmark.
   *
   * @throws IllegalStateException if the documents are not admitted or have no result in time
   */
  Report run() throws InterruptedException, ExecutionException {
    BenchmarkProgram program = new BenchmarkProgram("bench-restore", 1);
    try (BenchmarkCluster cluster = new BenchmarkCluster(partitions)) {
      cluster.create(program);
      Documents kind = new Documents(bytes, Documents.SHORT.key());
      try (DocumentFlow flow = new DocumentFlow(cluster.connection(), program, kind, _ -> {})) {
        progress.accept("sending %d documents".formatted(pending));
        flow.sendNow(pending);
        fill(cluster, program);
        progress.accept("starting a worker without state");
        return restore(cluster, program, flow);
      }
    }
  }

  private void fill(BenchmarkCluster cluster, BenchmarkProgram program)
      throws InterruptedException, ExecutionException {
    KafkaStreams first =
        cluster.worker(
            program,
            program.services(_ -> {
              Thread.sleep(Duration.ofDays(1));
              return BenchmarkModel.ANSWER;
            }),
            pending,
            "first",
            RuntimeServices.of(1));
    first.start();
    try (Admin admin = cluster.connection().admin()) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      long admitted = 0;
      while (admitted < pending) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "%d of %d documents were admitted in %d s"
                  .formatted(admitted, pending, PATIENCE.toSeconds()));
        }
        Thread.sleep(CHECK);
        admitted = committed(admin, program);
      }
    } finally {
      // Otherwise the second worker waits until the session of the first times out.
      boolean _ =
          first.close(
              CloseOptions.timeout(PATIENCE)
                  .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
    }
  }

  /** Number of documents that the application has admitted. */
  private static long committed(Admin admin, BenchmarkProgram program)
      throws InterruptedException, ExecutionException {
    return admin
        .listConsumerGroupOffsets(program.program().name())
        .partitionsToOffsetAndMetadata()
        .get()
        .entrySet()
        .stream()
        .filter(offset -> offset.getKey().topic().equals(program.source()))
        .mapToLong(offset -> offset.getValue().offset())
        .sum();
  }

  private Report restore(BenchmarkCluster cluster, BenchmarkProgram program, DocumentFlow flow)
      throws InterruptedException {
    Restoration restoration = new Restoration();
    ModelClient model =
        BenchmarkModel.waiting(
                new ThroughputOptions.Load(
                    pending, bytes, ThroughputOptions.Keys.UNIQUE, LATENCY, false))
            .client();
    try (KafkaStreams second =
        cluster.worker(
            program, program.services(model), IN_FLIGHT, "second", RuntimeServices.of(IN_FLIGHT))) {
      second.setGlobalStateRestoreListener(restoration);
      long start = System.nanoTime();
      second.start();
      flow.awaitResults(1, PATIENCE, _ -> {});
      long first = System.nanoTime();
      restoration.await(pending);
      return new Report(
          pending,
          restoration.records.get(),
          (restoration.began.get() - start) / 1e9,
          (restoration.ended.get() - start) / 1e9,
          (first - start) / 1e9,
          true);
    }
  }
}
