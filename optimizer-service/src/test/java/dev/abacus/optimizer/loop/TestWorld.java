package dev.abacus.optimizer.loop;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A data plane of which only the answers matter: each depends on its task alone. */
final class TestWorld {

  private TestWorld() {}

  /** Arms differ in their means, samples scatter around these. */
  static Function<SampleTask, Observation> scattered(long seed) {
    return task -> {
      String arm = task.operator().id() + task.physical().id();
      double mean = unit(seed, arm);
      double noise = 0.2 * (unit(seed, task.id()) - 0.5);
      return observation(
          task,
          Outcome.KEPT,
          Math.clamp(mean + noise, 0, 1),
          0.001 + 0.01 * unit(seed + 1, arm) * (1 + noise),
          1 + unit(seed + 2, arm));
    };
  }

  /** In [0, 1). */
  static double unit(long seed, String text) {
    return SeededHash.unit(seed, text);
  }

  static Observation observation(
      SampleTask task, Outcome outcome, double quality, double cost, double latency) {
    List<Document> outputs =
        outcome != Outcome.KEPT
            ? List.of()
            : List.of(
                task.operator() instanceof SemanticFilter
                    ? task.input()
                    : task.input()
                        .with(
                            task.operator().writtenFields().getFirst(),
                            JsonNodeFactory.instance.textNode(
                                task.operator().id() + " by " + task.physical().id())));
    return Observation.of(task)
        .outcome(outcome)
        .outputs(outputs)
        .quality(quality)
        .scoredBy(outcome == Outcome.FAILED ? ScoredBy.FAILURE : ScoredBy.LABEL)
        .cost(cost)
        .latency(latency)
        .judgeCost(task.label() == null ? 0.0005 : 0)
        .failure(outcome == Outcome.FAILED ? "the model refused" : null)
        .build();
  }

  /** As another world, but these operators always do this. */
  static Function<SampleTask, Observation> with(
      Function<SampleTask, Observation> world, Set<String> operators, Outcome outcome) {
    return task ->
        operators.contains(task.operator().id())
            ? observation(task, outcome, outcome == Outcome.FAILED ? 0 : 0.9, 0.001, 1)
            : world.apply(task);
  }
}
