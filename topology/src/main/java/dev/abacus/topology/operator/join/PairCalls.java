package dev.abacus.topology.operator.join;

import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.ParallelCalls;
import dev.abacus.topology.operator.prompt.Execution;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Asks a model about the pairs of one document with items, with one call per pair and bounded
 * concurrency. Stops at the first pair without an answer, because the document has then failed.
 */
final class PairCalls {

  /** The maximum number of concurrent calls for one document. */
  static final int CONCURRENCY = 16;

  private final ModelClient client;
  private final String model;
  private final Function<ReferenceItem, Prompt<Boolean>> prompts;
  private final List<Candidate> candidates;
  private final Map<String, StructuredAnswer<Boolean>> answers = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private volatile boolean stopped;

  private PairCalls(
      ModelClient client,
      String model,
      Function<ReferenceItem, Prompt<Boolean>> prompts,
      List<Candidate> candidates) {
    this.client = client;
    this.model = model;
    this.prompts = prompts;
    this.candidates = candidates;
  }

  /**
   * Asks about every candidate.
   *
   * @param prompts the prompt about the pair of the document with an item
   * @return whether an item matches, by its id
   * @throws OperatorFailedException if a pair has no answer
   */
  static Map<String, Boolean> ask(
      Execution execution,
      String model,
      Function<ReferenceItem, Prompt<Boolean>> prompts,
      List<Candidate> candidates)
      throws InterruptedException, OperatorFailedException {
    PairCalls calls = new PairCalls(execution.client(), model, prompts, candidates);
    int workers = Math.min(CONCURRENCY, candidates.size());
    if (workers > 0) {
      ParallelCalls.run(Collections.nCopies(workers, calls), workers, PairCalls::work);
    }
    execution.add(calls.stats());
    Map<String, Boolean> matches = new TreeMap<>();
    for (Candidate candidate : candidates) {
      String id = candidate.item().id();
      StructuredAnswer<Boolean> answer = calls.answers.get(id);
      if (answer != null) {
        matches.put(id, Execution.valid(model, answer));
      }
    }
    return matches;
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
  private ExecutionStats stats() {
    ExecutionStats sum = ExecutionStats.NONE;
    double longest = 0;
    for (Candidate candidate : candidates) {
      StructuredAnswer<Boolean> answer = answers.get(candidate.item().id());
      if (answer != null) {
        ExecutionStats stats = answer.stats();
        double weight = candidate.weight();
        sum = sum.plus(stats.withCost(weight * stats.cost()).withLatency(weight * stats.latency()));
        longest = Math.max(longest, stats.latency());
      }
    }
    return sum.withLatency(Math.max(longest, sum.latency() / CONCURRENCY));
  }
}
