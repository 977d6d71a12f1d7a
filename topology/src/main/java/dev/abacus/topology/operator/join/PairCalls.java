package dev.abacus.topology.operator.join;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.ParallelCalls;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks a model about the pairs of one document with items, with one call per pair and bounded
 * concurrency. Stops at the first pair without an answer, because the document has then failed.
 */
final class PairCalls {

  /** The maximum number of concurrent calls for one document. */
  static final int CONCURRENCY = 16;

  /**
   * The result for all pairs.
   *
   * @param matches whether an item matches, by its id; complete if there is no failure
   * @param failure why a pair has no answer; null if all pairs have one
   */
  record Result(
      Map<String, Boolean> matches, @Nullable ModelFailure failure, ExecutionStats stats) {

    /** This result with pairs that were decided before the calls. */
    Result after(Map<String, Boolean> decided, ExecutionStats earlier) {
      Map<String, Boolean> all = new HashMap<>(decided);
      all.putAll(matches);
      return new Result(all, failure, earlier.plus(stats));
    }
  }

  private final Function<ReferenceItem, Prompt<Boolean>> prompts;
  private final String model;
  private final ModelClient client;
  private final List<Candidate> candidates;
  private final Map<String, StructuredAnswer<Boolean>> answers = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private volatile boolean stopped;

  private PairCalls(
      Function<ReferenceItem, Prompt<Boolean>> prompts,
      String model,
      ModelClient client,
      List<Candidate> candidates) {
    this.prompts = prompts;
    this.model = model;
    this.client = client;
    this.candidates = candidates;
  }

  /**
   * Asks about every candidate.
   *
   * @param prompts the prompt about the pair of the document with an item
   */
  static Result ask(
      Function<ReferenceItem, Prompt<Boolean>> prompts,
      String model,
      ModelClient client,
      List<Candidate> candidates)
      throws InterruptedException {
    PairCalls calls = new PairCalls(prompts, model, client, candidates);
    int workers = Math.min(CONCURRENCY, candidates.size());
    if (workers > 0) {
      ParallelCalls.run(Collections.nCopies(workers, calls), workers, PairCalls::work);
    }
    return calls.result();
  }

  /** Asks about the next pairs until none is left or a pair has failed. */
  private boolean work() throws InterruptedException {
    boolean completed = false;
    try {
      int at;
      while (!stopped && (at = next.getAndIncrement()) < candidates.size()) {
        ReferenceItem item = candidates.get(at).item();
        StructuredAnswer<Boolean> answer = StructuredCall.ask(client, model, prompts.apply(item));
        answers.put(item.id(), answer);
        if (answer instanceof StructuredAnswer.Failed<Boolean>) {
          stopped = true;
        }
      }
      completed = true;
    } finally {
      if (!completed) {
        stopped = true;
      }
    }
    return completed;
  }

  /**
   * Sums costs with the weights of the candidates. The latency is the weighted sum divided by the
   * concurrency, but at least that of the longest call.
   */
  private Result result() {
    Map<String, Boolean> matches = new TreeMap<>();
    @Nullable ModelFailure failure = null;
    double cost = 0;
    double paid = 0;
    double time = 0;
    double longest = 0;
    int calls = 0;
    TokenCounts tokens = TokenCounts.NONE;
    for (Candidate candidate : candidates) {
      StructuredAnswer<Boolean> answer = answers.get(candidate.item().id());
      if (answer == null) {
        continue;
      }
      ExecutionStats stats = answer.stats();
      cost += candidate.weight() * stats.cost();
      paid += stats.paid();
      time += candidate.weight() * stats.latency();
      longest = Math.max(longest, stats.latency());
      calls += stats.calls();
      tokens = tokens.plus(stats.tokens());
      switch (answer) {
        case StructuredAnswer.Valid<Boolean>(Boolean match, ExecutionStats _) ->
            matches.put(candidate.item().id(), match);
        case StructuredAnswer.Failed<Boolean>(ModelFailure why, ExecutionStats _) -> failure = why;
      }
    }
    double latency = Math.max(longest, time / CONCURRENCY);
    return new Result(matches, failure, new ExecutionStats(cost, paid, latency, calls, tokens));
  }
}
