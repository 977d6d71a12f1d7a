package dev.abacus.topology.runtime;

import dev.abacus.topology.runtime.CompletionQueue.Checkpointed;
import dev.abacus.topology.runtime.CompletionQueue.Completed;
import dev.abacus.topology.runtime.CompletionQueue.Event;
import dev.abacus.topology.runtime.PendingStore.Backlog;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.streams.KeyValue;

/**
 * A task of Kafka Streams with an asynchronous processor, from init to close. Only the stream
 * thread uses it.
 *
 * <p>Pending records are ordered by sequence number. The first ones have a {@link WorkItem} in
 * memory; the others, from {@code firstSpilled} on, are <em>spilled</em>: in the store only. A
 * record is spilled if more than {@link RuntimeSettings#pendingBound} records are pending, or if
 * the process has as many bytes of them in memory as {@link PendingMemory} allows. It is loaded
 * when an earlier record is forwarded. So memory is bounded even if a plan is missing or the
 * program is paused for a long time.
 */
final class AsyncTask implements AutoCloseable {

  /** What a processor is created with. */
  record Setup(Work work, RuntimeSettings settings, RuntimeServices services) {}

  /** A longer time between two reports is a pause, in which no record arrives. */
  private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(1);

  /** Time without a found receipt after which receipts are removed from memory. */
  private static final Duration RECEIPTS_KEPT = Duration.ofMinutes(10);

  /** Bytes of delayed records that do not count as pending, for each record of the bound. */
  private static final long DELAYED_BYTES = 8 * 1024;

  /** Duration of work after which its epoch is stored. */
  private static final long STAMP_NANOS = 250_000_000;

  private static final byte[] NO_STATE = {};

  private final int partition;
  private final PendingStore store;
  private final Consumer<OutputRecord> forward;
  private final RuntimeSettings settings;
  private final RuntimeServices services;
  private final RuntimeListener listener;
  private final Work work;
  private final WorkItem.Shared shared;
  private final TaskReceipts receipts;
  private final ReceiptPosition receiptPosition;
  private final CompletionQueue completions = new CompletionQueue();
  private final FairScheduler.TaskQueue queue;
  private final KeyOrder keyOrder;

  /** All items in memory, by sequence number. A barrier leaves when it is the first. */
  private final SequencedSet<WorkItem> items = new LinkedHashSet<>();

  /** The first sequence number of this opening; smaller ones are restored. */
  private final long firstNew;

  private long next;
  private long firstSpilled;
  private int spilled;

  /** Bytes of the records that work is to be done on, of all items. */
  private long bytes;

  private int restoredPending;
  private Instant reportedAt;
  private long storedStamp = Work.UNSTAMPED;
  private long stampsStoredAt = System.nanoTime();

  private AsyncTask(
      int partition,
      PendingStore store,
      Consumer<OutputRecord> forward,
      Setup setup,
      Backlog backlog,
      TaskReceipts receipts) {
    this.partition = partition;
    this.store = store;
    this.forward = forward;
    this.settings = setup.settings();
    this.services = setup.services();
    this.reportedAt = services.clock().instant();
    this.listener = services.listener();
    this.work = setup.work();
    this.receipts = receipts;
    this.receiptPosition =
        new ReceiptPosition(
            store, () -> services.receipts().position(partition), backlog.receiptsFrom());
    this.shared =
        new WorkItem.Shared(
            work,
            receipts,
            completions,
            listener,
            services.refused(),
            settings.sizes(),
            new AtomicLong(Work.UNSTAMPED));
    this.queue = services.scheduler().newQueue(services.program());
    this.keyOrder = new KeyOrder(settings.ordering());
    this.firstNew = backlog.next();
    this.next = backlog.next();
    this.firstSpilled = backlog.first();
    this.spilled = backlog.size();
    this.restoredPending = backlog.size();
  }

  /** Opens a task and resumes the work on the records in its store. */
  static AsyncTask open(
      int partition, PendingStore store, Consumer<OutputRecord> forward, Setup setup) {
    Backlog backlog = store.backlog();
    RuntimeServices services = setup.services();
    TaskReceipts receipts =
        new TaskReceipts(
            services.receipts(),
            partition,
            services.receipts().snapshot(partition, backlog.receiptsFrom()),
            services.ownership());
    AsyncTask task = new AsyncTask(partition, store, forward, setup, backlog, receipts);
    task.fill();
    return task;
  }

  /** Admits a record, or rejects it if it is too large. */
  void admit(InputRecord input) {
    if (input.size() > settings.recordLimit()) {
      reject(input);
    } else {
      put(new PendingRecord(input, work.epoch(input), services.clock().instant()));
    }
    fill();
  }

  /**
   * Forwards the completion of a rejected record in the transaction of its offset. If earlier
   * records of its key are pending, the completion is stored until they are forwarded.
   */
  private void reject(InputRecord input) {
    Completion completion =
        work.rejected(
            input, Objects.requireNonNull(settings.sizes().problem("the record", input.size())));
    byte[] key = input.key();
    boolean mustWait =
        key != null && keyOrder.isOrdered(key) && (spilled > 0 || keyOrder.contains(key));
    int size = completion.outputs().stream().mapToInt(OutputRecord::size).sum();
    if (mustWait && size <= settings.recordLimit()) {
      services.commits().after(completion.committed());
      put(new PendingEntry.Rejected(key, new Completion(completion.outputs())));
    } else {
      forward(completion);
    }
  }

  private void put(PendingEntry entry) {
    long sequence = next++;
    store.put(sequence, entry);
    if (spilled == 0 && hasRoom()) {
      enter(new WorkItem(shared, sequence, entry, receiptPosition.ofAdmission(), null), entry);
    } else {
      firstSpilled = spilled == 0 ? sequence : firstSpilled;
      spilled++;
    }
    receiptPosition.advance(items);
  }

  /** Creates the item of a spilled record. Called in the order of admission. */
  private void load(KeyValue<Long, PendingEntry> stored) {
    long sequence = stored.key;
    firstSpilled = sequence + 1;
    spilled--;
    // Only a record from before the last opening can have run already.
    boolean restored = sequence < firstNew;
    WorkItem item =
        new WorkItem(
            shared,
            sequence,
            stored.value,
            restored ? receiptPosition.stored() : receiptPosition.ofAdmission(),
            restored ? store.checkpoint(sequence, stored.value) : null);
    enter(item, stored.value);
  }

  private void enter(WorkItem item, PendingEntry entry) {
    items.addLast(item);
    keyOrder.add(item);
    occupy(item.size());
    switch (entry) {
      case PendingRecord _ -> queue.add(item);
      // Not forwarded here: this may run in init, where Kafka Streams does not allow it.
      case PendingEntry.Rejected rejected ->
          completions.add(new Completed(item, rejected.completion()));
    }
  }

  /** Handles the events of the workers and starts further work. */
  void drain() {
    completions.poll().forEach(this::handle);
    fill();
  }

  /**
   * Like {@link #drain()}, but waits for the first event up to a timeout.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  void drain(long timeoutNanos) throws InterruptedException {
    completions.poll(timeoutNanos).forEach(this::handle);
    fill();
  }

  private void handle(Event event) {
    switch (event) {
      case Checkpointed(WorkItem item, byte[] state) -> {
        if (!item.isDone()) {
          checkpoint(item, state);
        }
      }
      case Completed(WorkItem item, Completion completion) -> {
        item.complete(completion);
        occupy(-item.size());
        if (!item.isBarrier()) {
          keyOrder.release(item).forEach(this::finish);
        }
        checkpointDelayed(item, completion);
        releaseBarriers();
      }
    }
  }

  private void checkpoint(WorkItem item, byte[] state) {
    if (item.isStampedLate()) {
      store.putCheckpoint(item.sequence(), item.epoch(), state);
    } else {
      store.putCheckpoint(item.sequence(), state);
    }
    item.checkpointStored();
  }

  /** Stores the finished work of an item whose outputs earlier records of its key delay. */
  private void checkpointDelayed(WorkItem item, Completion completion) {
    if (completion.checkpoint() != null && items.contains(item)) {
      byte[] state = completion.checkpoint().get();
      if (state.length <= settings.recordLimit()) {
        checkpoint(item, state);
      }
      // The state holds the document.
      item.complete(new Completion(completion.outputs(), completion.committed(), null));
    }
  }

  private void releaseBarriers() {
    while (!items.isEmpty() && items.getFirst().isBarrier() && items.getFirst().isDone()) {
      finish(items.getFirst());
    }
  }

  private void finish(WorkItem item) {
    items.remove(item);
    forward(item.completion());
    store.remove(item.sequence(), item.hasCheckpoint());
    restoredPending -= item.isRestored() ? 1 : 0;
    if (spilled == 0 || !items.isEmpty()) { // Spilled records may have receipts.
      receiptPosition.advance(items);
    }
  }

  private void forward(Completion completion) {
    completion.outputs().forEach(forward);
    services.commits().after(completion.committed());
  }

  /** Loads spilled records while there is room, and starts work. */
  private void fill() {
    if (spilled > 0 && hasRoom()) {
      store.load(firstSpilled, this::hasRoom, this::load);
    }
    dispatch();
  }

  private void dispatch() {
    queue.dispatch(work::ready);
  }

  /**
   * Stores the epochs of work that has run for some time, so that the next owner repeats its calls
   * under the same epoch and finds their receipts. Shorter work rarely costs its changelog a
   * record. When a new epoch begins, the epochs of all running work are stored.
   */
  private void storeStamps() {
    long now = System.nanoTime();
    long newest = shared.newestStamp().get();
    boolean changed = newest != storedStamp;
    if (!changed && now - stampsStoredAt < STAMP_NANOS / 2) {
      return;
    }
    storedStamp = newest;
    stampsStoredAt = now;
    for (WorkItem item : items) {
      if (item.needsStamp(changed ? now : now - STAMP_NANOS)) {
        store.putCheckpoint(item.sequence(), item.epoch(), NO_STATE);
        item.checkpointStored();
      }
    }
  }

  /** Whether another record may get an item now. */
  private boolean hasRoom() {
    return items.size() - delayed() < settings.pendingBound()
        && (bytes == 0 || services.memory().hasRoom());
  }

  /** More bytes of records are in memory; negative for fewer. */
  private void occupy(long more) {
    bytes += more;
    services.memory().add(more);
  }

  /** Number of items that need no more work, and so little memory that others may start. */
  private int delayed() {
    return keyOrder.delayed(DELAYED_BYTES * settings.pendingBound());
  }

  /**
   * Number of pending records that count for backpressure. Finished records that wait for an
   * earlier one of their key do not count, as long as their outputs are small together, so that a
   * slow record of a frequent key does not stop the records of other keys.
   */
  int load() {
    return pending() - delayed();
  }

  /** Whether records wait in the store because there is no room for them in memory. */
  boolean hasSpilled() {
    return spilled > 0;
  }

  /** Whether no further record should be admitted now. */
  boolean isFull() {
    return hasSpilled() || load() >= settings.pendingBound();
  }

  /** Number of records that are admitted and not forwarded. */
  int pending() {
    return items.size() + spilled;
  }

  /** Reports the gauge to the listener, and stores by time what the next owner needs. */
  void report() {
    listener.pending(partition, pending());
    storeStamps();
    Duration passed = passed();
    receiptPosition.passed(passed, pending() > 0);
    if (restoredPending == 0) {
      receipts.report(passed, RECEIPTS_KEPT);
    }
  }

  /** Time since the last report. A paused task does not report, and receives nothing. */
  private Duration passed() {
    Instant now = services.clock().instant();
    Duration passed = Duration.between(reportedAt, now);
    reportedAt = now;
    return passed.isNegative()
        ? Duration.ZERO
        : passed.compareTo(LONGEST_INTERVAL) < 0 ? passed : LONGEST_INTERVAL;
  }

  /**
   * Hands running calls over and stops the other workers. The next owner of the store resumes the
   * pending records.
   */
  @Override
  public void close() {
    receipts.close();
    completions.close();
    queue.close();
    occupy(-bytes);
    listener.pending(partition, 0);
  }
}
