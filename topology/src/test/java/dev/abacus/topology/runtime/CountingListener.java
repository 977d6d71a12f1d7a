package dev.abacus.topology.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what tests ask for. */
final class CountingListener implements RuntimeListener {
  final AtomicInteger admitted = new AtomicInteger();
  final AtomicInteger restored = new AtomicInteger();
  final AtomicInteger stuck = new AtomicInteger();
  final AtomicInteger checkpoints = new AtomicInteger();
  final AtomicInteger receiptsFound = new AtomicInteger();
  final AtomicInteger receiptsWritten = new AtomicInteger();
  final AtomicInteger receiptsFailed = new AtomicInteger();
  final AtomicInteger pending = new AtomicInteger();
  final AtomicInteger waiting = new AtomicInteger();
  final AtomicLong backpressureNanos = new AtomicLong();

  @Override
  public void admitted() {
    admitted.incrementAndGet();
  }

  @Override
  public void restored(int records) {
    restored.addAndGet(records);
  }

  @Override
  public void stuck() {
    stuck.incrementAndGet();
  }

  @Override
  public void checkpointed() {
    checkpoints.incrementAndGet();
  }

  @Override
  public void pending(int partition, int records) {
    pending.set(records);
  }

  @Override
  public void waitingForEpoch(int partition, int records) {
    waiting.set(records);
  }

  @Override
  public void backpressure(long nanos) {
    backpressureNanos.addAndGet(nanos);
  }

  @Override
  public void receiptFound() {
    receiptsFound.incrementAndGet();
  }

  @Override
  public void receiptWritten() {
    receiptsWritten.incrementAndGet();
  }

  @Override
  public void receiptFailed() {
    receiptsFailed.incrementAndGet();
  }
}
