package dev.abacus.deploy.simulator.truth;

import com.fasterxml.jackson.databind.JsonNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The right value of a field or condition, and its evidence.
 *
 * @param document id of the document
 * @param key field or condition
 * @param evidence spans that show the value; empty if only the whole document shows it
 * @param difficulty in [0, 1]
 * @param coverage share of the document that the prompt contains, in [0, 1]
 * @param verbatim right values that the document contains word for word
 */
@RecordBuilder
public record GroundTruth(
    String document,
    String key,
    JsonNode value,
    List<String> evidence,
    double difficulty,
    double coverage,
    Set<String> verbatim)
    implements GroundTruthBuilder.With {

  /**
   * The spans of which one must be visible to find the n-th item of a list, or the value if it is
   * not a list.
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

  /** The conjunction of conditions, with the highest of their difficulties. */
  public static GroundTruth conjunction(List<GroundTruth> conditions) {
    GroundTruth decisive =
        conditions.stream()
            .filter(truth -> !truth.value().booleanValue())
            .findFirst()
            .orElse(conditions.getFirst());
    return decisive
        .withKey(conditions.stream().map(GroundTruth::key).collect(Collectors.joining("+")))
        .withDifficulty(
            conditions.stream()
                .mapToDouble(GroundTruth::difficulty)
                .max()
                .orElse(decisive.difficulty()));
  }

  /** Whether the document has no value. */
  public boolean absent() {
    return value.isNull()
        || (value.isArray() && value.isEmpty())
        || (value.isTextual() && value.textValue().isEmpty());
  }
}
