package dev.abacus.topology.runtime;

import dev.abacus.topology.runtime.CompletionQueue.Checkpointed;
import dev.abacus.topology.runtime.CompletionQueue.Done;
import dev.abacus.topology.runtime.CompletionQueue.Letter;
import dev.abacus.topology.runtime.Pending.Admission;
import dev.abacus.topology.runtime.Pending.Answer;
import dev.abacus.topology.runtime.PendingStore.Backlog;
import dev.abacus.topology.runtime.PendingStore.Entry;
import dev.abacus.topology.runtime.ReceiptLog.Recall;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task between init and close. Everything here happens on its stream thread.
 *
 * <p>Pending records come in sequence: first those in memory (<em>live</em>: queued, running, or
 * waiting in their lane), then those that are in the store only (<em>parked</em>), from {@code
 * firstParked} on. Records are parked when more are pending than the bound allows, after a restart
 * or because backpressure gave in, and become live as others leave; so memory stays bounded however
 * long a plan is unknown or a program paused.
 */
final class AsyncTask implements AutoCloseable {

  private final int partition;
  private final PendingStore store;
  private final Consumer<OutputRecord> forward;
  private final Work work;
  private final RuntimeSettings settings;
  private final RuntimeServices services;
  private final RuntimeListener listener;

  private final KeyOrder lanes;
  private final FairScheduler.Share share;

  /** What is live, in sequence: a mark leaves when it is the first. */
  private final SequencedSet<Live> inSequence = new LinkedHashSet<>();

  private final CompletionQueue mailbox = new CompletionQueue();
  private final Recall recall;
  private final CallReceipts receipts;

  /** Sequence numbers below this one were admitted before the task was opened. */
  private final long firstNew;

  private long next;
  private long firstParked;
  private int parked;
  private int live;
  private int unfinishedRestored;

  /** Opens the task: whatever its store holds goes on. */
  AsyncTask(
      int partition,
      PendingStore store,
      Consumer<OutputRecord> forward,
      Work work,
      RuntimeSettings settings,
      RuntimeServices services) {
    this.partition = partition;
    this.store = store;
    this.forward = forward;
    this.work = work;
    this.settings = settings;
    this.services = services;
    this.listener = services.listener();
    this.lanes = new KeyOrder(settings.ordering());
    Backlog backlog = store.backlog();
    this.next = backlog.next();
    this.firstNew = next;
    this.firstParked = backlog.first();
    this.parked = backlog.records();
    this.unfinishedRestored = parked;
    Instant oldest = backlog.oldest();
    this.recall = oldest == null ? Recall.NOTHING : services.receipts().recall(partition, oldest);
    this.receipts =
        new TaskReceipts(services.receipts(), partition, recall, mailbox::isClosed, listener);
    this.share = services.inFlight().open();
    listener.restored(parked);
    proceed();
  }

  /** Takes a record in, or rejects it if it is too large. */
  void admit(InputRecord input) {
    if (input.size() > settings.recordLimit()) {
      reject(input);
      return;
    }
    listener.admitted();
    keep(new Admission(input, work.epoch(input), services.clock().instant()));
    proceed();
  }

  /**
   * The completion of a rejected record leaves at once, within the transaction of its offset. If
   * records of its key are before it, it is kept until its turn.
   */
  private void reject(InputRecord input) {
    listener.rejected();
    Completion completion =
        work.rejected(
            input,
            "The record has %d bytes; the limit is %d."
                .formatted(input.size(), settings.recordLimit()));
    byte[] key = input.key();
    boolean mustWait = key != null && lanes.ordered(key) && (parked > 0 || !lanes.free(key));
    int size = completion.outputs().stream().mapToInt(OutputRecord::size).sum();
    if (mustWait && size <= settings.recordLimit()) {
      keep(new Answer(key, completion));
    } else {
      forward(completion);
    }
  }

  private void keep(Pending pending) {
    long sequence = next++;
    store.put(sequence, pending);
    if (parked == 0 && live < settings.pendingBound()) {
      enter(new Entry(sequence, pending, null));
    } else {
      firstParked = parked == 0 ? sequence : firstParked;
      parked++;
    }
  }

  /** Makes a record live. Called in sequence, so lanes fill in order of input. */
  private void enter(Entry entry) {
    boolean restored = entry.sequence() < firstNew;
    boolean mark =
        entry.pending() instanceof Admission admission && work.isBarrier(admission.input());
    Live record =
        new Live(
            entry.sequence(), entry.pending().key(), mark, restored, entry.checkpoint() != null);
    live++;
    inSequence.addLast(record);
    lanes.enter(record);
    switch (entry.pending()) {
      case Admission admission -> share.add(running(record, admission, entry.checkpoint()));
      // Not at once: while the task is being opened nothing may be forwarded.
      case Answer answer -> mailbox.post(new Done(record, answer.completion()));
    }
  }

  private WorkItem running(Live record, Admission admission, byte @Nullable [] checkpoint) {
    PendingRecord job =
        new PendingRecord(
            admission.input(),
            admission.epoch(),
            admission.admittedAt(),
            checkpoint,
            record.restored());
    return new WorkItem(record, job, work, receipts, mailbox, listener, settings.recordLimit());
  }

  /** Takes in what workers have posted, and goes on. */
  void drain() {
    mailbox.take().forEach(this::receive);
    proceed();
  }

  /**
   * As {@link #drain()}, but waits for the first letter up to so many nanoseconds.
   *
   * @throws InterruptedException when interrupted while waiting
   */
  void drain(long waitNanos) throws InterruptedException {
    List<Letter> letters = mailbox.take(waitNanos);
    letters.forEach(this::receive);
    proceed();
  }

  private void receive(Letter letter) {
    switch (letter) {
      case Checkpointed(Live record, byte[] state) -> checkpoint(record, state);
      case Done(Live record, Completion completion) -> {
        record.complete(completion);
        if (!record.mark()) {
          lanes.completed(record).forEach(this::leave);
        }
        releaseMarks();
      }
    }
  }

  private void checkpoint(Live record, byte[] state) {
    if (record.completion() == null) {
      store.putCheckpoint(record.sequence(), state);
      record.markCheckpointed();
      listener.checkpointed();
    }
  }

  private void releaseMarks() {
    while (!inSequence.isEmpty()
        && inSequence.getFirst().mark()
        && inSequence.getFirst().completion() != null) {
      leave(inSequence.getFirst());
    }
  }

  private void leave(Live record) {
    inSequence.remove(record);
    forward(Objects.requireNonNull(record.completion()));
    store.remove(record.sequence(), record.checkpointed());
    live--;
    if (record.restored() && --unfinishedRestored == 0) {
      recall.close();
    }
  }

  private void forward(Completion completion) {
    completion.outputs().forEach(forward);
    listener.forwarded(completion.outputs().size());
  }

  /** Makes parked records live as far as the bound allows, and starts what can be started. */
  private void proceed() {
    unpark();
    share.pump(work::ready);
  }

  private void unpark() {
    int room = settings.pendingBound() - live;
    if (parked == 0 || room <= 0) {
      return;
    }
    for (Entry entry : store.from(firstParked, room)) {
      firstParked = entry.sequence() + 1;
      parked--;
      enter(entry);
    }
  }

  /** Records that are admitted and not forwarded. */
  int pending() {
    return live + parked;
  }

  /** Tells the listener the gauges. */
  void report() {
    listener.pending(partition, pending());
    listener.waitingForEpoch(partition, share.waitingForEpoch());
    listener.inFlight(services.inFlight().running());
  }

  /**
   * Stops the workers and forgets everything; the store keeps it for whoever opens the task next.
   */
  @Override
  public void close() {
    mailbox.close();
    share.close();
    recall.close();
    listener.pending(partition, 0);
    listener.waitingForEpoch(partition, 0);
  }
}
