package dev.abacus.optimizer.sampling;

import dev.abacus.schemas.observation.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one semantic operator.
 *
 * @param operator id of the logical operator
 * @param arms implementations to choose from
 * @param examples ids of the validation examples that it can be tried on, in the order in which all
 *     arms get them; examples in use come first, so that the order of those never changes
 * @param samples by arm's id and example's id; what is missing was never asked for
 */
public record OperatorSamples(
    String operator,
    List<Arm> arms,
    List<String> examples,
    Map<String, Map<String, Sample>> samples) {

  public OperatorSamples {
    arms = List.copyOf(arms);
    examples = List.copyOf(examples);
  }

  /** What is known of a pull, or null if it was never asked for. */
  public @Nullable Sample sample(Arm arm, String exampleId) {
    return samples.getOrDefault(arm.id(), Map.of()).get(exampleId);
  }

  /** What came back of an arm, in the order of the examples' ids. */
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
