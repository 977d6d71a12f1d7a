package dev.abacus.topology.runtime;

import dev.abacus.topology.runtime.CompletionQueue.Completed;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Checks that the hand-over from workers to the stream thread is linearizable: each completion is
 * polled once, in an order that some sequential execution has too, and a closed queue stays empty.
 */
public class CompletionQueueLincheckTest {

  private static final String STREAM_THREAD = "stream thread";

  private final CompletionQueue queue = new CompletionQueue();
  private final WorkItem item =
      new WorkItem(
          new WorkItem.Shared(
              new ScriptedWork(),
              new TaskReceipts(ReceiptLog.NONE, 0, ReceiptLog.Snapshot.EMPTY, Ownership.ALONE),
              queue,
              RuntimeListener.NONE,
              new RefusedRecords(),
              new RecordSizes(1),
              new AtomicLong()),
          0,
          new PendingEntry.Rejected(null, Completion.EMPTY),
          0,
          null);

  @Operation
  public void add(@Param(gen = IntGen.class, conf = "0:9") int number) {
    OutputRecord output = new OutputRecord("child", null, null, List.of(), number);
    queue.add(new Completed(item, Completion.of(output)));
  }

  @Operation(nonParallelGroup = STREAM_THREAD)
  public List<Long> poll() {
    return queue.poll().stream().map(CompletionQueueLincheckTest::number).toList();
  }

  @Operation(nonParallelGroup = STREAM_THREAD)
  public void close() {
    queue.close();
  }

  @Operation
  public boolean isClosed() {
    return queue.isClosed();
  }

  private static long number(CompletionQueue.Event event) {
    return switch (event) {
      case Completed completed -> completed.completion().outputs().getFirst().timestamp();
      case CompletionQueue.Checkpointed _ -> -1;
    };
  }

  @Test
  void theQueueIsLinearizableUnderStress() {
    new StressOptions()
        .iterations(3)
        .invocationsPerIteration(100)
        .threads(3)
        .actorsPerThread(2)
        .check(CompletionQueueLincheckTest.class);
  }

  @Test
  void theQueueIsLinearizableInEachInterleaving() {
    new ModelCheckingOptions()
        .iterations(3)
        .invocationsPerIteration(100)
        .threads(3)
        .actorsPerThread(2)
        .check(CompletionQueueLincheckTest.class);
  }
}
