package dev.abacus.deploy.simulator.truth;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is true of a field or condition, and where a reader can see it.
 *
 * @param document id of the document
 * @param key field or condition
 * @param value the truth
 * @param evidence spans that show it; empty if the document as a whole does
 * @param difficulty 0..1
 * @param coverage share of the document that stands in the prompt
 * @param verbatim true values that stand in the document as they are
 */
public record GroundTruth(
    String document,
    String key,
    JsonNode value,
    List<String> evidence,
    double difficulty,
    double coverage,
    Set<String> verbatim) {

  /**
   * The spans of which one must be seen for the n-th item of a list, or for the value if it is no
   * list.
   */
  public List<String> spansOf(int item) {
    if (value.isArray() && item < evidence.size() && evidence.size() == value.size()) {
      return List.of(evidence.get(item));
    }
    JsonNode one = value.isArray() ? value.get(item) : value;
    if (value.isArray() && one.isObject()) {
      return one.valueStream().map(TextNormalizer::of).filter(verbatim::contains).toList();
    }
    String text = TextNormalizer.of(one);
    if (verbatim.contains(text) && (value.isArray() || evidence.isEmpty())) {
      return List.of(text);
    }
    return evidence;
  }

  /** All of several conditions: true if all are, as hard as the hardest. */
  public static GroundTruth conjunction(List<GroundTruth> conditions) {
    GroundTruth decisive =
        conditions.stream()
            .filter(truth -> !truth.value().booleanValue())
            .findFirst()
            .orElse(conditions.getFirst());
    return new GroundTruth(
        decisive.document(),
        conditions.stream().map(GroundTruth::key).collect(Collectors.joining("+")),
        decisive.value(),
        decisive.evidence(),
        conditions.stream()
            .mapToDouble(GroundTruth::difficulty)
            .max()
            .orElse(decisive.difficulty()),
        decisive.coverage(),
        decisive.verbatim());
  }

  /** Whether there is nothing to be found. */
  public boolean absent() {
    return value.isNull()
        || (value.isArray() && value.isEmpty())
        || (value.isTextual() && value.textValue().isEmpty());
  }
}
