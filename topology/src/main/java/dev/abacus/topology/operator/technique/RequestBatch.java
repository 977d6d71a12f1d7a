package dev.abacus.topology.operator.technique;

import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call for several requests. A thread of its own makes it, not that of a document: who is
 * interrupted leaves, and the others do not notice. When the last one has left, the call is given
 * up.
 */
final class RequestBatch {

  /** A request in the batch, and the answer to it. */
  static final class Seat {
    private final ModelRequest request;
    private final long taken = System.nanoTime();
    private final CompletableFuture<ModelAnswer> answer = new CompletableFuture<>();

    Seat(ModelRequest request) {
      this.request = request;
    }

    private long length() {
      long length = 1;
      for (Content part : request.content()) {
        length += part instanceof Content.Text(String text) ? text.length() : IMAGE_LENGTH;
      }
      return length;
    }
  }

  /** An image is paid for like about so many characters. */
  private static final int IMAGE_LENGTH = 3000;

  private final ModelClient endpoint;
  private final int size;
  private final List<Seat> seats = new ArrayList<>();
  private final CountDownLatch full = new CountDownLatch(1);
  private boolean closed;
  private @Nullable Thread caller;

  RequestBatch(ModelClient endpoint, int size) {
    this.endpoint = endpoint;
    this.size = size;
  }

  /** Takes a seat; false if there is none. */
  synchronized boolean join(Seat seat) {
    if (closed || seats.size() >= size) {
      return false;
    }
    seats.add(seat);
    if (seats.size() == size) {
      full.countDown();
    }
    return true;
  }

  /**
   * Waits until the batch is full, at most that long, and makes the call.
   *
   * @param leaving told when nobody can join any more
   */
  void start(Duration patience, Runnable leaving) {
    caller = Thread.ofVirtual().name("abacus-batch").start(() -> run(patience, leaving));
  }

  private void run(Duration patience, Runnable leaving) {
    List<Seat> riders = List.of();
    try {
      boolean _ = full.await(patience.toNanos(), TimeUnit.NANOSECONDS);
      leaving.run();
      riders = close();
      if (!riders.isEmpty()) {
        call(riders);
      }
    } catch (InterruptedException e) {
      // Nobody waits any more.
      leaving.run();
      close().forEach(seat -> seat.answer.cancel(false));
    } catch (RuntimeException | Error e) {
      riders.forEach(seat -> seat.answer.completeExceptionally(e));
    }
  }

  private synchronized List<Seat> close() {
    closed = true;
    return List.copyOf(seats);
  }

  private void call(List<Seat> riders) throws InterruptedException {
    long left = System.nanoTime();
    ModelAnswer whole =
        endpoint.call(BatchPrompt.together(riders.stream().map(seat -> seat.request).toList()));
    double unit = whole.cost() / riders.stream().mapToLong(Seat::length).sum();
    List<String> texts =
        whole instanceof ModelAnswer.Success success
            ? BatchPrompt.answers(success.text(), riders.size())
            : List.of();
    for (int i = 0; i < riders.size(); i++) {
      Seat seat = riders.get(i);
      double cost = unit * seat.length();
      double latency = (left - seat.taken) / 1e9 + whole.latency();
      seat.answer.complete(
          switch (whole) {
            case ModelAnswer.Success success ->
                new ModelAnswer.Success(
                    texts.get(i),
                    share(success.usage(), riders.size()),
                    cost,
                    latency,
                    whole.attempts(),
                    List.of());
            case ModelAnswer.Failed failed ->
                new ModelAnswer.Failed(failed.failure(), cost, latency, whole.attempts());
          });
    }
  }

  private static Usage share(Usage usage, int riders) {
    return new Usage(
        usage.input() / riders, usage.cachedInput() / riders, usage.output() / riders, true);
  }

  /** The answer to a seat's request. */
  ModelAnswer await(Seat seat) throws InterruptedException {
    try {
      return seat.answer.get();
    } catch (InterruptedException e) {
      leave(seat);
      throw e;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException bug -> throw bug;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  private synchronized void leave(Seat seat) {
    seat.answer.cancel(false);
    if (!closed) {
      seats.remove(seat);
    }
    if (seats.stream().allMatch(each -> each.answer.isCancelled()) && caller != null) {
      closed = true;
      caller.interrupt();
    }
  }
}
