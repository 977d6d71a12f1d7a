package dev.abacus.topology.model.embedding;

import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Puts texts that are to be embedded at the same time into one batch. While a batch is under way,
 * what arrives is gathered for the next, so batches grow with the load and nobody waits for a
 * timer.
 */
public final class BatchingEmbedder implements Embedder {

  private static final int MOST_TEXTS = 64;
  private static final int BATCHES_AT_A_TIME = 4;

  private record Request(List<String> texts, CompletableFuture<EmbeddingAnswer> answer) {}

  private final Embedder next;
  private final Queue<Request> waiting = new ConcurrentLinkedQueue<>();
  private final Semaphore batches = new Semaphore(BATCHES_AT_A_TIME);

  /** Batches in front of that embedder. */
  public BatchingEmbedder(Embedder next) {
    this.next = next;
  }

  @Override
  public String name() {
    return next.name();
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    Request request = new Request(List.copyOf(texts), new CompletableFuture<>());
    waiting.add(request);
    start();
    try {
      return request.answer().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the batch failed", e.getCause());
    }
  }

  @Override
  public EmbeddingAnswer embedImages(List<Content> images) throws InterruptedException {
    return next.embedImages(images);
  }

  /** In threads of their own, so that nobody's interruption ends a batch that others wait for. */
  private void start() {
    if (batches.tryAcquire()) {
      Thread.ofVirtual()
          .start(() -> {
            try {
              List<Request> batch = take();
              while (!batch.isEmpty()) {
                run(batch);
                batch = take();
              }
            } finally {
              batches.release();
            }
            // What came between the last look and the release would wait for the next caller.
            if (!waiting.isEmpty()) {
              start();
            }
          });
    }
  }

  private List<Request> take() {
    List<Request> batch = new ArrayList<>();
    int texts = 0;
    Request head;
    while (texts < MOST_TEXTS && (head = waiting.poll()) != null) {
      batch.add(head);
      texts += head.texts().size();
    }
    return batch;
  }

  private void run(List<Request> batch) {
    try {
      List<String> texts = batch.stream().flatMap(request -> request.texts().stream()).toList();
      switch (next.embed(texts)) {
        case EmbeddingAnswer.Failed failed when batch.size() > 1 && !failed.failure().retryable() ->
            alone(batch);
        case EmbeddingAnswer.Failed failed ->
            batch.forEach(request -> request.answer().complete(failed));
        case EmbeddingAnswer.Success success -> share(batch, success, texts.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      EmbeddingAnswer interrupted =
          new EmbeddingAnswer.Failed(new ModelFailure.TimedOut("interrupted"), 0, 0, 0);
      batch.forEach(request -> request.answer().complete(interrupted));
    } catch (RuntimeException | Error e) {
      batch.forEach(request -> request.answer().completeExceptionally(e));
    }
  }

  /** One text that is refused must not take those beside it down. */
  private void alone(List<Request> batch) throws InterruptedException {
    for (Request request : batch) {
      request.answer().complete(next.embed(request.texts()));
    }
  }

  private static void share(List<Request> batch, EmbeddingAnswer.Success success, int texts) {
    int from = 0;
    for (Request request : batch) {
      int to = from + request.texts().size();
      List<Embedding> own = success.embeddings().subList(from, to);
      double cost = success.cost() * request.texts().size() / texts;
      request
          .answer()
          .complete(new EmbeddingAnswer.Success(own, cost, success.latency(), success.attempts()));
      from = to;
    }
  }
}
