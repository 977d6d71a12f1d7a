package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.abacus.schemas.program.Reasoning;
import org.jspecify.annotations.Nullable;

/**
 * One call of one model at temperature 0 over the whole input.
 *
 * @param reasoning how the model reasons before it answers; null as its card says
 */
@JsonTypeName("model-selection")
public record ModelSelection(
    String model, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Reasoning reasoning)
    implements PhysicalOperator.SingleModel {

  /** A call that reasons as the card of the model says. */
  public ModelSelection(String model) {
    this(model, null);
  }

  @Override
  public String id() {
    return "model-selection(" + model + Reasoning.suffix(reasoning) + ")";
  }
}
