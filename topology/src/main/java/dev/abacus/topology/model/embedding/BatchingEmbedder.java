package dev.abacus.topology.model.embedding;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.Futures;
import dev.abacus.topology.model.ModelFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * Combines concurrent calls into batches. Calls that arrive while batches are in progress form the
 * next batch, so the batch size grows with the load and no call waits for a timer.
 */
public final class BatchingEmbedder implements Embedder {

  /** A batch takes no further call once it has this many texts. */
  private static final int MAX_TEXTS = 64;

  /** Batches in progress at the same time. */
  private static final int MAX_BATCHES = 4;

  private record Request(List<String> texts, CompletableFuture<EmbeddingAnswer> answer) {}

  private final Embedder next;
  private final Queue<Request> waiting = new ConcurrentLinkedQueue<>();
  private final Semaphore batches = new Semaphore(MAX_BATCHES);

  /** An embedder that receives batches. */
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
    return Futures.result(request.answer());
  }

  /** Batches run in threads of their own, so that the interruption of a caller ends no batch. */
  private void start() {
    if (batches.tryAcquire()) {
      Thread.ofVirtual()
          .start(() -> {
            try {
              boolean more = true;
              while (more) {
                more = runNext();
              }
            } finally {
              batches.release();
            }
            // A call that arrived between the last take() and the release has no batch yet.
            if (!waiting.isEmpty()) {
              start();
            }
          });
    }
  }

  /** Runs the next batch; returns false if no call waits. Each call gets an answer or a failure. */
  private boolean runNext() {
    List<Request> batch = new ArrayList<>();
    try {
      take(batch);
      if (!batch.isEmpty()) {
        run(batch);
      }
    } catch (RuntimeException | Error e) {
      batch.forEach(request -> request.answer().completeExceptionally(e));
    }
    return !batch.isEmpty();
  }

  private void take(List<Request> batch) {
    int texts = 0;
    Request head;
    while (texts < MAX_TEXTS && (head = waiting.poll()) != null) {
      batch.add(head);
      texts += head.texts().size();
    }
  }

  private void run(List<Request> batch) {
    try {
      List<String> texts = batch.stream().flatMap(request -> request.texts().stream()).toList();
      switch (next.embed(texts)) {
        case EmbeddingAnswer.Failed(ModelFailure failure, _)
            when batch.size() > 1 && !failure.isProviderFault() && failure.repetitions() == 0 ->
            oneByOne(batch);
        case EmbeddingAnswer answer -> share(batch, answer, texts.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      EmbeddingAnswer interrupted =
          new EmbeddingAnswer.Failed(new ModelFailure.TimedOut("interrupted"), ExecutionStats.NONE);
      batch.forEach(request -> request.answer().complete(interrupted));
    }
  }

  /** Embeds each call alone, so that a refused text fails only its own call. */
  private void oneByOne(List<Request> batch) throws InterruptedException {
    for (Request request : batch) {
      request.answer().complete(next.embed(request.texts()));
    }
  }

  /** Gives each call its part of the tokens and the cost, and of the embeddings. */
  private static void share(List<Request> batch, EmbeddingAnswer answer, int texts) {
    int from = 0;
    for (Request request : batch) {
      int to = from + request.texts().size();
      ExecutionStats share = answer.stats().share(request.texts().size(), texts);
      request
          .answer()
          .complete(
              switch (answer) {
                case EmbeddingAnswer.Success success ->
                    new EmbeddingAnswer.Success(success.embeddings().subList(from, to), share);
                case EmbeddingAnswer.Failed failed -> failed.with(share);
              });
      from = to;
    }
  }
}
