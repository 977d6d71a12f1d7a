package dev.abacus.topology.operator.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Asks a model about pairs of a document with items, one call each, a bounded number at a time. The
 * first pair without an answer ends it: the document has failed then.
 */
final class PairCalls {

  /** Calls at a time for one document. */
  static final int PARALLEL = 16;

  /**
   * What came of it.
   *
   * @param matches by id of the item; of all candidates if there is no failure
   * @param failure why a pair got no answer; null if all did
   */
  record Result(
      Map<String, Boolean> matches, @Nullable ModelFailure failure, ExecutionStats stats) {}

  private final JoinPrompt question;
  private final String model;
  private final ModelClient client;
  private final Document shown;
  private final List<Candidate> candidates;
  private final Map<String, StructuredAnswer<Boolean>> replies = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private volatile boolean failed;

  private PairCalls(
      JoinPrompt question,
      String model,
      ModelClient client,
      Document shown,
      List<Candidate> candidates) {
    this.question = question;
    this.model = model;
    this.client = client;
    this.shown = shown;
    this.candidates = candidates;
  }

  /**
   * Asks about every candidate.
   *
   * @param shown what the model sees of the document
   */
  static Result ask(
      JoinPrompt question,
      String model,
      ModelClient client,
      Document shown,
      List<Candidate> candidates)
      throws InterruptedException {
    PairCalls calls = new PairCalls(question, model, client, shown, candidates);
    calls.run(Math.min(PARALLEL, candidates.size()));
    return calls.result();
  }

  private void run(int parallel) throws InterruptedException {
    ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < parallel; i++) {
        running.add(
            workers.submit(() -> {
              work();
              return null;
            }));
      }
      for (Future<?> worker : running) {
        worker.get();
      }
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case InterruptedException cause -> throw cause;
        case null, default -> throw new IllegalStateException(e);
      }
    } finally {
      // Whatever still runs is of no use any more; nothing does if all went well.
      failed = true;
      workers.shutdownNow();
      workers.close();
    }
  }

  private void work() throws InterruptedException {
    int at;
    while (!failed && (at = next.getAndIncrement()) < candidates.size()) {
      ReferenceItem item = candidates.get(at).item();
      PromptMessages prompt =
          new PromptMessages(question.system(), DocumentMessage.ofPair(shown, item.document()));
      StructuredAnswer<Boolean> reply = StructuredCall.ask(client, model, prompt, question);
      replies.put(item.id(), reply);
      if (reply instanceof StructuredAnswer.Unanswered<Boolean>) {
        failed = true;
      }
    }
  }

  /**
   * Costs add up, each as often as its candidate counts; time is that of the calls shared among
   * those that run at a time, but not less than the longest call.
   */
  private Result result() {
    Map<String, Boolean> matches = new TreeMap<>();
    @Nullable ModelFailure failure = null;
    double cost = 0;
    double paid = 0;
    double time = 0;
    double longest = 0;
    int calls = 0;
    for (Candidate candidate : candidates) {
      StructuredAnswer<Boolean> reply = replies.get(candidate.item().id());
      if (reply == null) {
        continue;
      }
      cost += candidate.weight() * reply.stats().cost();
      paid += reply.stats().paid();
      time += candidate.weight() * reply.stats().latency();
      longest = Math.max(longest, reply.stats().latency());
      calls += reply.stats().calls();
      switch (reply) {
        case StructuredAnswer.Answered<Boolean>(Boolean match, _) ->
            matches.put(candidate.item().id(), match);
        case StructuredAnswer.Unanswered<Boolean>(ModelFailure why, _) -> failure = why;
      }
    }
    double latency = Math.max(longest, time / PARALLEL);
    return new Result(matches, failure, new ExecutionStats(cost, paid, latency, calls));
  }
}
