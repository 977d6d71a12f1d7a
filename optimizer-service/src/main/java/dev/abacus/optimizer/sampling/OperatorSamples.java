package dev.abacus.optimizer.sampling;

import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.Readings;
import dev.abacus.optimizer.sampling.Proposal.Conclusion;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Arms, examples and samples of one semantic operator.
 *
 * @param operator id of the logical operator
 * @param arms implementations to choose from
 * @param examples ids of the validation examples, in the order in which all arms get them; examples
 *     in use come first, so that their order never changes
 * @param samples by arm id and example id; an absent entry was never requested
 * @param readings what the samples, and other evidence if there is any, say about the arms
 */
@RecordBuilder
public record OperatorSamples(
    String operator,
    List<Arm> arms,
    List<String> examples,
    Map<String, Map<String, Sample>> samples,
    Readings readings)
    implements OperatorSamplesBuilder.With {

  /** The sample of a pull; null if it was never requested. */
  public @Nullable Sample sample(Arm arm, String exampleId) {
    return samples.getOrDefault(arm.id(), Map.of()).get(exampleId);
  }

  /** These samples as if some examples did not exist. */
  OperatorSamples without(Collection<String> removed) {
    List<String> left = new ArrayList<>(examples);
    left.removeAll(removed);
    return new OperatorSamples(
        operator,
        arms,
        left,
        ofExamples(samples, example -> !removed.contains(example)),
        readings.without(removed));
  }

  /** Samples by implementation and example, of some examples. */
  public static Map<String, Map<String, Sample>> ofExamples(
      Map<String, Map<String, Sample>> samples, Predicate<String> examples) {
    Map<String, Map<String, Sample>> some = new HashMap<>();
    samples.forEach((arm, byExample) -> {
      Map<String, Sample> kept = new HashMap<>(byExample);
      kept.keySet().removeIf(examples.negate());
      if (!kept.isEmpty()) {
        some.put(arm, kept);
      }
    });
    return some;
  }

  /** Why there can be no sample; null if there can be. */
  public @Nullable Conclusion hindrance() {
    if (arms.isEmpty()) {
      return Conclusion.NO_IMPLEMENTATION;
    }
    return examples.isEmpty() ? Conclusion.NO_EXAMPLE : null;
  }

  /** The measurements of an arm, in order of their examples. */
  public List<Measurement> measurements(Arm arm) {
    return readings.of(arm.id());
  }
}
