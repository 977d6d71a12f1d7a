package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.JudgedOutputs;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What the judge says of labelled outputs. The samples of the chosen plan that were scored by
 * labels are drawn once more without them, so that the judge scores the same implementation on the
 * same examples. Then its scores of live outputs are evidence ({@link JudgedOutputs}). Such samples
 * are paid for by the setting of the judge, not by the budget of samples.
 */
public final class LabelJudgements {

  /** Prefix of their ids. */
  private static final String PREFIX = "judged-";

  /** By operator, implementation and example. */
  private final Map<String, Map<String, Map<String, Double>>> scores = new HashMap<>();

  /** By operator and implementation: samples with a score by a label. */
  private final Map<List<String>, List<DrawnSample>> labelled = new HashMap<>();

  /**
   * Collects judgements.
   *
   * @param isChosen whether the label of an example was chosen because of answers: what the judge
   *     says of such outputs is not compared with what it says of all
   */
  LabelJudgements(List<DrawnSample> samples, Predicate<String> isChosen) {
    for (DrawnSample issued : samples) {
      SampleTask task = issued.task();
      if (issued.sample() instanceof Sample.Observed(Observation seen) && seen.quality() != null) {
        if (is(task) && seen.scoredBy() == ScoredBy.JUDGE) {
          scores
              .computeIfAbsent(task.operator().id(), _ -> new HashMap<>())
              .computeIfAbsent(answering(task.physical()), _ -> new HashMap<>())
              .put(task.exampleId(), seen.quality());
        } else if (seen.scoredBy() == ScoredBy.LABEL
            && !isChosen.test(task.exampleId())
            && task.weight() == null
            && task.batch() == null) {
          labelled.computeIfAbsent(key(task), _ -> new ArrayList<>()).add(issued);
        }
      }
    }
  }

  private static List<String> key(SampleTask task) {
    return List.of(task.operator().id(), answering(task.physical()));
  }

  /** Whether a sample is for the judge only, and says nothing else about the implementation. */
  public static boolean is(SampleTask task) {
    return task.id().startsWith(PREFIX);
  }

  /** Id of the judgement of a sample. */
  public static String id(SampleTask task) {
    return PREFIX + task.id();
  }

  /** The id of an implementation at whatever service tiers. */
  private static String answering(PhysicalOperator physical) {
    return ServiceTier.withoutTiers(physical.id());
  }

  /** Samples that the judge could score, too; empty if they are too few to tell anything. */
  public List<DrawnSample> labelled(String operator, PhysicalOperator implementation) {
    List<DrawnSample> samples =
        labelled.getOrDefault(List.of(operator, answering(implementation)), List.of());
    return samples.size() < JudgedOutputs.LEAST_PAIRS ? List.of() : List.copyOf(samples);
  }

  /** What is known of the implementations of an operator whose live outputs were judged. */
  Map<String, JudgedOutputs> outputs(String operator, LiveCounts live) {
    Map<String, JudgedOutputs> outputs = new HashMap<>();
    live.judged()
        .getOrDefault(operator, Map.of())
        .forEach((implementation, counts) ->
            outputs.put(
                implementation,
                new JudgedOutputs(
                    Objects.requireNonNullElse(
                        scores.getOrDefault(operator, Map.of()).get(implementation), Map.of()),
                    counts)));
    return outputs;
  }
}
