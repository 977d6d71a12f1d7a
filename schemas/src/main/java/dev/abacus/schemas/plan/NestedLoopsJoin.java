package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.abacus.schemas.program.Reasoning;
import org.jspecify.annotations.Nullable;

/**
 * One model call for every pair (paper, section 4.1).
 *
 * @param reasoning how the model reasons before it answers; null as its card says
 */
@JsonTypeName("nested-loops-join")
public record NestedLoopsJoin(
    String model, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Reasoning reasoning)
    implements PhysicalOperator.SingleModel {

  /** A join whose calls reason as the card of the model says. */
  public NestedLoopsJoin(String model) {
    this(model, null);
  }

  @Override
  public String id() {
    return "nested-loops-join(%s%s)".formatted(model, Reasoning.suffix(reasoning));
  }
}
