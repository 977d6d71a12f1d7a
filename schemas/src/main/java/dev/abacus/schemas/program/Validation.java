package dev.abacus.schemas.program;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The topics of labelled examples and of corrected results, and the metrics that score outputs
 * against the labels.
 *
 * @param topic the topic of validation examples
 * @param feedback the topic of corrected results, which become validation examples; null for none
 * @param metrics by {@code operator.field} for one field, or by {@code operator} for all labelled
 *     fields of an operator
 * @param fewShot whether prompts and plans may contain labelled examples
 */
@RecordBuilder
public record Validation(
    String topic, @Nullable String feedback, Map<String, QualityMetric> metrics, boolean fewShot)
    implements ValidationBuilder.With {

  public Validation {
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
  }

  /** Examples without corrected results. */
  public Validation(String topic, Map<String, QualityMetric> metrics) {
    this(topic, null, metrics, true);
  }

  /** The topic of validation examples of a program that names none. */
  public static String defaultTopic(String program) {
    return program + ".validation";
  }

  /**
   * The metric for all fields of an operator, or null if its fields are scored separately; of one
   * field under {@code OPERATOR.FIELD}.
   */
  public @Nullable QualityMetric metric(String operator) {
    return metrics.get(operator);
  }
}
