package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.abacus.schemas.plan.PhysicalOperator.Resolution;

/**
 * One call for each of the k items that are most similar to the document. Of the items that are the
 * same entity, the most similar one counts.
 */
@JsonTypeName("pairwise-resolution")
public record PairwiseResolution(String model, String embedder, int k) implements Resolution {

  public PairwiseResolution {
    requireAtLeastOne("k", k);
  }

  @Override
  public String id() {
    return "pairwise-resolution(%s,%s,k=%d)".formatted(model, embedder, k);
  }
}
