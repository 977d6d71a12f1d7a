package dev.abacus.topology.operator.join;

import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.ParallelCalls;
import dev.abacus.topology.operator.prompt.Execution;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Asks a model about the pairs of one document with items, with one call per pair and bounded
 * concurrency. Stops at the first pair without an answer, because the document has then failed.
 */
final class PairCalls {

  /** The maximum number of concurrent calls for one document. */
  static final int CONCURRENCY = 16;

  private PairCalls() {}

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
    ModelClient client = execution.client();
    Map<String, StructuredAnswer<Boolean>> answers = new ConcurrentHashMap<>();
    AtomicBoolean failed = new AtomicBoolean();
    ParallelCalls.run(
        candidates,
        CONCURRENCY,
        candidate -> {
          if (!failed.get()) {
            ReferenceItem item = candidate.item();
            StructuredAnswer<Boolean> answer =
                StructuredCall.ask(client, model, prompts.apply(item));
            answers.put(item.id(), answer);
            if (answer instanceof StructuredAnswer.Failed<Boolean>) {
              failed.set(true);
            }
          }
          return candidate;
        });
    execution.add(stats(candidates, answers));
    Map<String, Boolean> matches = new TreeMap<>();
    for (Candidate candidate : candidates) {
      String id = candidate.item().id();
      StructuredAnswer<Boolean> answer = answers.get(id);
      if (answer != null) {
        matches.put(id, Execution.valid(model, answer));
      }
    }
    return matches;
  }

  /**
   * Sums costs with the weights of the candidates. The latency is the weighted sum divided by the
   * concurrency, but at least that of the longest call.
   */
  private static ExecutionStats stats(
      List<Candidate> candidates, Map<String, StructuredAnswer<Boolean>> answers) {
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
