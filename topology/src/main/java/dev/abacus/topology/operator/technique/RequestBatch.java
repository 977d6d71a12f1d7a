package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.Futures;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.SharedCallTraces;
import dev.abacus.topology.model.WaitListener;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call for several requests. It runs in its own thread, so that the interrupt of one document
 * does not affect the others. After the interrupt of the last document the call is cancelled.
 */
final class RequestBatch {

  /**
   * The answer to one request of the batch.
   *
   * @param documents number of requests of the batch
   * @param instruction the request's share of the tokens of the common instruction
   */
  record Shared(ModelAnswer answer, int documents, TokenCounts instruction) {}

  /** A request in the batch, with its answer. */
  static final class Entry {
    private final ModelRequest request;
    private final WaitListener waits = WaitListener.current();
    private final CallPurpose purpose = CallPurpose.current();
    private final Context trace = Context.current();
    private final long created = System.nanoTime();
    private final CompletableFuture<Shared> answer = new CompletableFuture<>();

    Entry(ModelRequest request) {
      this.request = request;
    }

    private long length() {
      return 1
          + request.texts().mapToLong(String::length).sum()
          + request.media().count() * IMAGE_LENGTH;
    }
  }

  /** The approximate price of an image, in characters of text. */
  private static final int IMAGE_LENGTH = 3000;

  private final ModelClient endpoint;
  private final int size;
  private final Duration usualWait;
  private final List<Entry> entries = new ArrayList<>();
  private final CountDownLatch full = new CountDownLatch(1);
  private boolean closed;
  private @Nullable Thread caller;

  /**
   * An open batch.
   *
   * @param usualWait the most that counts of the wait in the latency: live documents wait no longer
   */
  RequestBatch(ModelClient endpoint, int size, Duration usualWait) {
    this.endpoint = endpoint;
    this.size = size;
    this.usualWait = usualWait;
  }

  /** Adds a request; false if the batch is full or closed. */
  synchronized boolean add(Entry entry) {
    if (closed || entries.size() >= size) {
      return false;
    }
    entries.add(entry);
    if (entries.size() == size) {
      full.countDown();
    }
    return true;
  }

  /**
   * Starts the thread that waits for a full batch and makes the call.
   *
   * @param maxWait how long to wait for more requests
   * @param onClose called once no more requests can be added
   */
  void start(Duration maxWait, Runnable onClose) {
    caller = Thread.ofVirtual().name("abacus-batch").start(() -> run(maxWait, onClose));
  }

  private void run(Duration maxWait, Runnable onClose) {
    List<Entry> requests = List.of();
    try {
      boolean _ = full.await(maxWait.toNanos(), TimeUnit.NANOSECONDS);
      onClose.run();
      requests = close();
      if (!requests.isEmpty()) {
        call(requests);
      }
    } catch (InterruptedException e) {
      // No document waits for an answer.
      onClose.run();
      close().forEach(entry -> entry.answer.cancel(false));
    } catch (RuntimeException | Error e) {
      requests.forEach(entry -> entry.answer.completeExceptionally(e));
    }
  }

  private synchronized List<Entry> close() {
    closed = true;
    return List.copyOf(entries);
  }

  private void call(List<Entry> requests) throws InterruptedException {
    long sent = System.nanoTime();
    WaitListener waits = WaitListener.all(requests.stream().map(entry -> entry.waits).toList());
    ModelAnswer whole;
    Context trace = SharedCallTraces.of(requests.stream().map(entry -> entry.trace).toList());
    try (Scope _ = trace.makeCurrent()) {
      whole =
          ScopedValue.where(WaitListener.CURRENT, waits)
              .where(CallPurpose.CURRENT, requests.getFirst().purpose)
              .call(() ->
                  endpoint.call(
                      BatchPrompt.join(requests.stream().map(entry -> entry.request).toList())));
    }
    long length = requests.stream().mapToLong(Entry::length).sum();
    TokenCounts instruction = instruction(requests, whole.tokens().input(), length);
    List<String> texts =
        whole instanceof ModelAnswer.Success success
            ? BatchPrompt.split(success.text(), requests.size())
            : List.of();
    for (int i = 0; i < requests.size(); i++) {
      Entry entry = requests.get(i);
      double waited = Math.min(sent - entry.created, usualWait.toNanos()) / 1e9;
      ExecutionStats share =
          whole.stats().share(entry.length(), length).plus(ExecutionStats.ofSeconds(waited));
      ModelAnswer answer =
          switch (whole) {
            case ModelAnswer.Success _ -> new ModelAnswer.Success(texts.get(i), share, List.of());
            case ModelAnswer.Failed failed -> failed.with(share);
          };
      entry.answer.complete(
          new Shared(answer, requests.size(), instruction.share(entry.length(), length)));
    }
  }

  /** The input tokens of the instruction, by its part of the prompt. */
  private static TokenCounts instruction(List<Entry> requests, long input, long length) {
    long system = requests.getFirst().request.system().length();
    return TokenCounts.of(input * system / (system + length), 0, 0);
  }

  /** Waits for the answer to a request. */
  Shared await(Entry entry) throws InterruptedException {
    try {
      return Futures.result(entry.answer);
    } catch (InterruptedException e) {
      cancel(entry);
      throw e;
    }
  }

  private synchronized void cancel(Entry entry) {
    entry.answer.cancel(false);
    if (!closed) {
      entries.remove(entry);
    }
    if (entries.stream().allMatch(each -> each.answer.isCancelled()) && caller != null) {
      closed = true;
      caller.interrupt();
    }
  }
}
