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
    String judge) {

  public SampleTask {
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
  }
}
