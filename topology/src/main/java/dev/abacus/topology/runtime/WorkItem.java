package dev.abacus.topology.runtime;

import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.topology.model.WaitListener;
import dev.abacus.topology.runtime.CompletionQueue.Checkpointed;
import dev.abacus.topology.runtime.CompletionQueue.Completed;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work on one pending record: queued, running, or done and not forwarded yet.
 *
 * <p>A worker thread calls {@link #run}, which reports to the {@link CompletionQueue} and uses
 * nothing of Kafka Streams. The stream thread alone reads and writes the completion and the
 * checkpoint flag. Closing the task interrupts the worker; the closed queue drops its events.
 */
final class WorkItem implements FairScheduler.Job, WorkContext {

  private static final Logger LOG = LoggerFactory.getLogger(WorkItem.class);

  /**
   * What the items of a task share.
   *
   * @param newestStamp the epoch of the latest unstamped record whose work started
   */
  record Shared(
      Work work,
      TaskReceipts receipts,
      CompletionQueue completions,
      RuntimeListener listener,
      RefusedRecords refused,
      RecordSizes sizes,
      AtomicLong newestStamp) {}

  private final Shared shared;
  private final long sequence;
  private final @Nullable Bytes key;
  private final boolean barrier;
  private final boolean restored;
  private final boolean stampedLate;
  private final long receiptsFrom;
  private final int size;

  /** Calls that the work has begun and not ended. */
  private final Set<String> calls = ConcurrentHashMap.newKeySet();

  /** Written by the worker thread for an unstamped record, once, after {@code startedAt}. */
  private volatile long epoch;

  private long startedAt;

  // Payload; the worker clears it when the work ends.
  private @Nullable PendingRecord record;
  private byte @Nullable [] restoredCheckpoint;

  // Guarded by this.
  private @Nullable Thread thread;
  private boolean cancelled;

  private volatile FairScheduler.@Nullable Permit permit;

  // Used by the stream thread alone.
  private boolean hasCheckpoint;
  private @Nullable Completion completion;

  /**
   * An item that waits.
   *
   * @param stored what the store has of the work; null if the record was admitted since the task
   *     was opened
   */
  WorkItem(
      Shared shared,
      long sequence,
      PendingEntry entry,
      long receiptsFrom,
      PendingStore.@Nullable Stored stored) {
    this.shared = shared;
    this.sequence = sequence;
    this.record = entry instanceof PendingRecord pending ? pending : null;
    this.stampedLate = record != null && record.epoch() == Work.UNSTAMPED;
    this.epoch = stored != null ? stored.epoch() : record == null ? 0 : record.epoch();
    this.barrier = record != null && shared.work().isBarrier(record.input());
    byte[] bytes = entry.key();
    this.key = bytes == null || barrier ? null : Bytes.wrap(bytes);
    this.restored = stored != null;
    this.receiptsFrom = receiptsFrom;
    this.size = entry.size();
    this.restoredCheckpoint = stored == null ? null : stored.state();
    this.hasCheckpoint = stored != null && stored.exists();
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public long epoch() {
    return epoch;
  }

  /** Bytes of the record, which is in memory until the work ends. */
  int size() {
    return size;
  }

  /** Whether the entry in the store has no epoch. */
  boolean isStampedLate() {
    return stampedLate;
  }

  /** Whether work that started before a time has an epoch that is not stored. */
  boolean needsStamp(long startedBefore) {
    return stampedLate
        && !hasCheckpoint
        && epoch != Work.UNSTAMPED
        && startedAt - startedBefore <= 0;
  }

  /** The key that orders this item; null if it has none or is a barrier. */
  @Override
  public @Nullable Bytes key() {
    return key;
  }

  boolean isBarrier() {
    return barrier;
  }

  @Override
  public boolean isRestored() {
    return restored;
  }

  @Override
  public byte @Nullable [] restoredCheckpoint() {
    return restoredCheckpoint;
  }

  /** A position before all receipts of this record; see {@link ReceiptLog#position}. */
  long receiptsFrom() {
    return receiptsFrom;
  }

  /** Whether the store holds a checkpoint of this record. */
  boolean hasCheckpoint() {
    return hasCheckpoint;
  }

  void checkpointStored() {
    hasCheckpoint = true;
  }

  boolean isDone() {
    return completion != null;
  }

  void complete(Completion result) {
    completion = result;
  }

  /**
   * The outputs of the finished work.
   *
   * @throws NullPointerException if the work is not done
   */
  Completion completion() {
    return Objects.requireNonNull(completion);
  }

  @Override
  public void permit(FairScheduler.Permit given) {
    permit = given;
  }

  @Override
  public void waiting() {
    Optional.ofNullable(permit).ifPresent(FairScheduler.Permit::suspend);
  }

  @Override
  public void resumed() {
    Optional.ofNullable(permit).ifPresent(FairScheduler.Permit::resume);
  }

  @Override
  public void run() {
    PendingRecord pending = record;
    if (pending == null || !begin()) {
      return;
    }
    long start = System.nanoTime();
    shared.listener().started();
    Completion done;
    try {
      done = work(pending, start);
    } finally {
      calls.forEach(this::giveUp); // or the next owner would wait for them
      end();
      shared.listener().finished();
    }
    if (done != null) {
      shared.completions().add(new Completed(this, done));
    }
  }

  private PendingRecord stamp(PendingRecord unstamped, long now) {
    if (!stampedLate) {
      return unstamped;
    }
    if (epoch == Work.UNSTAMPED) {
      startedAt = now;
      epoch = shared.work().stamp(unstamped.input());
      shared.newestStamp().set(epoch);
    }
    return unstamped.withEpoch(epoch);
  }

  private synchronized boolean begin() {
    thread = Thread.currentThread();
    return !cancelled;
  }

  private synchronized void end() {
    thread = null;
    record = null;
    restoredCheckpoint = null;
  }

  @Override
  public synchronized void cancel() {
    cancelled = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  private @Nullable Completion work(PendingRecord pending, long start) {
    try {
      PendingRecord stamped = stamp(pending, start);
      Completion done =
          checkSize(
              ScopedValue.where(WaitListener.CURRENT, this)
                  .call(() -> shared.work().run(stamped, this)));
      RefusedRecords.Refusal refusal = refusal(done);
      return refusal == null ? done : refused(pending, refusal);
    } catch (Throwable cause) { // errors too: a stack overflow in one document is that document's
      if (cause instanceof Error error && RestartPolicy.showsBrokenJvm(error)) {
        throw error; // The record stays pending; the process ends.
      }
      return shared.completions().isClosed() ? null : failed(pending, cause);
    }
  }

  private @Nullable Completion failed(PendingRecord pending, Throwable cause) {
    try {
      return checkSize(shared.work().failed(pending, cause));
    } catch (Throwable second) {
      second.addSuppressed(cause);
      InputRecord input = pending.input();
      LOG.error(
          "The work on record {}-{}@{} failed, and no dead letter could be created; the record"
              + " stays pending until its task is opened again",
          input.topic(),
          input.partition(),
          input.offset(),
          second);
      return null;
    }
  }

  /** An output that cannot be sent would end the stream thread, and again after each restart. */
  private Completion checkSize(Completion result) {
    int limit = shared.sizes().largestOutput();
    for (OutputRecord output : result.outputs()) {
      if (output.size() > limit) {
        throw new RecordTooLargeException(
            "output for %s has %d bytes; the limit is %d"
                .formatted(output.child(), output.size(), limit));
      }
    }
    return result;
  }

  /** The refusal of an output in an earlier attempt; this one would be refused again. */
  private RefusedRecords.@Nullable Refusal refusal(Completion result) {
    return result.outputs().stream()
        .map(output ->
            shared
                .refused()
                .find(shared.work().topic(output.child()), output.key(), output.value()))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private @Nullable Completion refused(PendingRecord pending, RefusedRecords.Refusal refusal) {
    Completion letter = failed(pending, new InvalidRecordException(refusal.reason()));
    return letter == null
        ? null
        : letter.whenCommitted(() -> {
          letter.committed().run();
          refusal.forget();
        });
  }

  @Override
  public void checkpoint(byte[] state) {
    if (shared.completions().isClosed()) {
      throw new CancellationException("the task is closed");
    }
    if (state.length <= shared.sizes().limit()) {
      shared.completions().add(new Checkpointed(this, state));
    }
  }

  @Override
  public byte @Nullable [] find(String requestHash) throws InterruptedException {
    byte[] found = shared.receipts().find(requestHash);
    if (found == null) {
      calls.add(requestHash);
    }
    return found;
  }

  @Override
  public void attempt() throws InterruptedException {
    shared.receipts().attempt();
  }

  @Override
  public void record(String requestHash, byte[] answer) {
    calls.remove(requestHash);
    shared.receipts().record(requestHash, answer);
  }

  @Override
  public void giveUp(String requestHash) {
    calls.remove(requestHash);
    shared.receipts().giveUp(requestHash);
  }
}
