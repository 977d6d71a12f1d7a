package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;
import static dev.abacus.schemas.plan.Parameters.tokensOf;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.jspecify.annotations.Nullable;

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

  /** Reads the JSON form, also with {@code characters}. */
  @JsonCreator
  static HeadAndTail read(
      @JsonProperty("model") String model,
      @JsonProperty("tokens") @Nullable Integer tokens,
      @JsonProperty("characters") @Nullable Integer characters) {
    return new HeadAndTail(model, tokensOf(tokens, characters));
  }

  @Override
  public String id() {
    return "head-and-tail(%s,tokens=%d)".formatted(model, tokens);
  }
}
