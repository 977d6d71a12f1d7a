package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Runs a step on several documents at once. */
final class SideBySide {

  /** One document must not take the whole concurrency budget, which counts it as one. */
  private static final int AT_ONCE = 8;

  private SideBySide() {}

  @FunctionalInterface
  interface Step {
    OperatorOutcome run(Document document) throws InterruptedException;
  }

  /**
   * The outcomes in the order of the documents; a single document in the calling thread.
   *
   * @throws InterruptedException if the thread is interrupted; all steps are, then
   */
  static List<OperatorOutcome> map(List<Document> documents, Step step)
      throws InterruptedException {
    if (documents.size() == 1) {
      return List.of(step.run(documents.getFirst()));
    }
    Semaphore room = new Semaphore(AT_ONCE);
    List<Callable<OperatorOutcome>> tasks = new ArrayList<>();
    for (Document document : documents) {
      tasks.add(() -> {
        room.acquire();
        try {
          return step.run(document);
        } finally {
          room.release();
        }
      });
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<OperatorOutcome> outcomes = new ArrayList<>();
      for (Future<OperatorOutcome> future : threads.invokeAll(tasks)) {
        outcomes.add(future.get());
      }
      return outcomes;
    } catch (ExecutionException e) {
      throw rethrown(e);
    }
  }

  private static RuntimeException rethrown(ExecutionException e) throws InterruptedException {
    return switch (e.getCause()) {
      case RuntimeException cause -> cause;
      case Error cause -> throw cause;
      case InterruptedException cause -> throw cause;
      case null, default -> new IllegalStateException(e);
    };
  }
}
