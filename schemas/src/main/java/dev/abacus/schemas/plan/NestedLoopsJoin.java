package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.pairs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.abacus.schemas.program.Reasoning;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One model call for every pair (paper, section 4.1).
 *
 * @param reasoning how the model reasons before it answers; null as its card says
 * @param k number of labelled pairs that the prompts show
 */
@JsonTypeName("nested-loops-join")
public record NestedLoopsJoin(
    String model,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Reasoning reasoning,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) Integer k,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<SolvedExample> shown)
    implements PhysicalOperator.SingleModel, PhysicalOperator.WithExamples {

  public NestedLoopsJoin {
    k = pairs(k);
    shown = shown == null ? null : List.copyOf(shown);
  }

  /** A join whose prompts show no pairs. */
  public NestedLoopsJoin(String model, @Nullable Reasoning reasoning) {
    this(model, reasoning, 0, null);
  }

  /** A join whose prompts show no pairs, and whose calls reason as the card says. */
  public NestedLoopsJoin(String model) {
    this(model, null);
  }

  @Override
  public NestedLoopsJoin with(List<SolvedExample> solved) {
    return new NestedLoopsJoin(model, reasoning, k, solved);
  }

  @Override
  public int examples() {
    return k;
  }

  @Override
  public String id() {
    return "nested-loops-join(%s%s%s)"
        .formatted(model, Reasoning.suffix(reasoning), k == 0 ? "" : ",k=" + k);
  }
}
