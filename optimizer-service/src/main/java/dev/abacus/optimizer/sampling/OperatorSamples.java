package dev.abacus.optimizer.sampling;

import dev.abacus.schemas.observation.Observation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Arms, examples and samples of one semantic operator.
 *
 * @param operator id of the logical operator
 * @param arms implementations to choose from
 * @param examples ids of the validation examples, in the order in which all arms get them; examples
 *     in use come first, so that their order never changes
 * @param samples by arm id and example id; an absent entry was never requested
 * @param scoreVariance what the metric says about the variance of the scores; null if the scores
 *     themselves tell it
 */
public record OperatorSamples(
    String operator,
    List<Arm> arms,
    List<String> examples,
    Map<String, Map<String, Sample>> samples,
    @Nullable ScoreVariance scoreVariance) {

  /**
   * Variances of scores that were moved to the value of a metric over all samples, so that their
   * scatter does not tell them.
   *
   * @param each variance of the score of one sample
   * @param common variance that the mean of all arms has in addition, because the arms answer about
   *     the same few examples
   */
  public record ScoreVariance(double each, double common) {}

  // Not a compact constructor: its parameters would lose @Nullable in the class file.

  public OperatorSamples(
      String operator,
      List<Arm> arms,
      List<String> examples,
      Map<String, Map<String, Sample>> samples,
      @Nullable ScoreVariance scoreVariance) {
    this.operator = operator;
    this.arms = List.copyOf(arms);
    this.examples = List.copyOf(examples);
    this.samples = samples;
    this.scoreVariance = scoreVariance;
  }

  /** Samples whose scatter tells the variance of their scores. */
  public OperatorSamples(
      String operator,
      List<Arm> arms,
      List<String> examples,
      Map<String, Map<String, Sample>> samples) {
    this(operator, arms, examples, samples, null);
  }

  /** The sample of a pull; null if it was never requested. */
  public @Nullable Sample sample(Arm arm, String exampleId) {
    return samples.getOrDefault(arm.id(), Map.of()).get(exampleId);
  }

  /** These samples as if some examples did not exist. */
  OperatorSamples without(Collection<String> removed) {
    List<String> left = new ArrayList<>(examples);
    left.removeAll(removed);
    Map<String, Map<String, Sample>> others = new HashMap<>();
    samples.forEach((arm, byExample) -> {
      Map<String, Sample> kept = new HashMap<>(byExample);
      kept.keySet().removeAll(removed);
      if (!kept.isEmpty()) {
        others.put(arm, kept);
      }
    });
    return new OperatorSamples(operator, arms, left, others, scoreVariance);
  }

  /** Observations of an arm, in order of the example ids. */
  public List<Observation> observations(Arm arm) {
    List<Observation> observations = new ArrayList<>();
    for (Sample sample : new TreeMap<>(samples.getOrDefault(arm.id(), Map.of())).values()) {
      if (sample instanceof Sample.Observed(Observation observation)) {
        observations.add(observation);
      }
    }
    return observations;
  }
}
