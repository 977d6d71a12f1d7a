package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;

import com.fasterxml.jackson.annotation.JsonTypeName;

/**
 * One call of one model over the beginning and the end of each long text.
 *
 * @param tokens maximum tokens kept of each text, as the model counts them: half from its
 *     beginning, half from its end
 */
@JsonTypeName("head-and-tail")
public record HeadAndTail(String model, int tokens) implements PhysicalOperator.SingleModel {
  public HeadAndTail {
    requireAtLeastOne("tokens", tokens);
  }

  @Override
  public String id() {
    return "head-and-tail(%s,tokens=%d)".formatted(model, tokens);
  }

  @Override
  public boolean showsWhole(int texts, long bytes) {
    return bytes <= tokens;
  }
}
