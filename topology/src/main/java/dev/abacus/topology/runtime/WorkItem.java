package dev.abacus.topology.runtime;

import dev.abacus.topology.runtime.CompletionQueue.Checkpointed;
import dev.abacus.topology.runtime.CompletionQueue.Done;
import java.util.concurrent.CancellationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the work on one record, on a thread of its own. It knows the job and the {@link
 * CompletionQueue} and nothing of Kafka Streams; when its task is closed it is interrupted, and
 * whatever it posts afterwards is thrown away.
 */
final class WorkItem implements ReadyJob, WorkContext {

  private static final Logger LOG = LoggerFactory.getLogger(WorkItem.class);

  private final Live live;
  private final PendingRecord job;
  private final Work work;
  private final CallReceipts receipts;
  private final CompletionQueue mailbox;
  private final RuntimeListener listener;
  private final int recordLimit;

  private @Nullable Thread thread;
  private boolean cancelled;

  WorkItem(
      Live live,
      PendingRecord job,
      Work work,
      CallReceipts receipts,
      CompletionQueue mailbox,
      RuntimeListener listener,
      int recordLimit) {
    this.live = live;
    this.job = job;
    this.work = work;
    this.receipts = receipts;
    this.mailbox = mailbox;
    this.listener = listener;
    this.recordLimit = recordLimit;
  }

  @Override
  public long epoch() {
    return job.epoch();
  }

  @Override
  public long sequence() {
    return live.sequence();
  }

  @Override
  public void run() {
    if (!begin()) {
      return;
    }
    long start = System.nanoTime();
    listener.started();
    Completion completion;
    try {
      completion = complete();
    } finally {
      end();
      listener.finished(System.nanoTime() - start);
    }
    if (completion != null) {
      mailbox.post(new Done(live, completion));
    }
  }

  private synchronized boolean begin() {
    thread = Thread.currentThread();
    return !cancelled;
  }

  private synchronized void end() {
    thread = null;
  }

  @Override
  public synchronized void cancel() {
    cancelled = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  private @Nullable Completion complete() {
    try {
      return checked(work.run(job, this));
    } catch (Throwable cause) { // errors too: a stack overflow in one document is that document's
      return mailbox.isClosed() ? null : failed(cause);
    }
  }

  private @Nullable Completion failed(Throwable cause) {
    try {
      return checked(work.failed(job, cause));
    } catch (Throwable second) {
      second.addSuppressed(cause);
      InputRecord input = job.input();
      LOG.error(
          "Work on {}-{}@{} failed, and so did making a dead letter of it; it stays pending until"
              + " its task is opened again",
          input.topic(),
          input.partition(),
          input.offset(),
          second);
      listener.stuck();
      return null;
    }
  }

  /** An output that cannot be sent would end the stream thread, again after every restart. */
  private Completion checked(Completion completion) {
    for (OutputRecord output : completion.outputs()) {
      if (output.size() > recordLimit + RuntimeSettings.HEADROOM) {
        throw new RecordTooLargeException(
            "output for %s has %d bytes; the limit is %d"
                .formatted(output.child(), output.size(), recordLimit + RuntimeSettings.HEADROOM));
      }
    }
    return completion;
  }

  @Override
  public void checkpoint(byte[] state) {
    if (mailbox.isClosed()) {
      throw new CancellationException("the task was closed");
    }
    if (state.length <= recordLimit) {
      mailbox.post(new Checkpointed(live, state));
    }
  }

  @Override
  public CallReceipts receipts() {
    return receipts;
  }
}
