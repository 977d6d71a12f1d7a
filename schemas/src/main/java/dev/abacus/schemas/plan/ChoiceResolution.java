package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.abacus.schemas.plan.PhysicalOperator.Resolution;

/**
 * One call that chooses among the k items that are most similar to the document, or none of them.
 */
@JsonTypeName("choice-resolution")
public record ChoiceResolution(String model, String embedder, int k) implements Resolution {

  public ChoiceResolution {
    requireAtLeastOne("k", k);
  }

  @Override
  public String id() {
    return "choice-resolution(%s,%s,k=%d)".formatted(model, embedder, k);
  }
}
