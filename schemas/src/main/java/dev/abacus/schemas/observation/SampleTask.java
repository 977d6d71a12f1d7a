package dev.abacus.schemas.observation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.QualityMetric;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to run one implementation of one operator on one input, score it and report.
 * Self-contained, so that any instance of the data plane can carry it out.
 *
 * @param id the same for the same operator, implementation, example and input, so that a repeated
 *     request is recognised
 * @param exampleId the validation example that the input goes back to
 * @param input what the operator reads: the example's document, with the outputs of operators
 *     upstream
 * @param label what is known of the right output; null if nothing
 * @param metrics as {@link dev.abacus.schemas.program.Validation#metrics}, those of this operator
 * @param judge the model that scores where there is no label
 * @param evidenceOnly whether no answer is wanted, only what the labelled input teaches: it is
 *     embedded, no model is called, and nothing is scored. The implementation says by what it is
 *     embedded
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SampleTask(
    String id,
    String program,
    LogicalOperator operator,
    PhysicalOperator physical,
    String exampleId,
    Document input,
    @Nullable JsonNode label,
    Map<String, QualityMetric> metrics,
    String judge,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) Boolean evidenceOnly) {

  public SampleTask {
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    // Absent in JSON where it is false.
    evidenceOnly = Boolean.TRUE.equals(evidenceOnly);
  }

  /** A request to try an implementation: an answer is wanted. */
  public SampleTask(
      String id,
      String program,
      LogicalOperator operator,
      PhysicalOperator physical,
      String exampleId,
      Document input,
      @Nullable JsonNode label,
      Map<String, QualityMetric> metrics,
      String judge) {
    this(id, program, operator, physical, exampleId, input, label, metrics, judge, false);
  }
}
