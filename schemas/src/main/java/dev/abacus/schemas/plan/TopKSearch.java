package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;

import com.fasterxml.jackson.annotation.JsonTypeName;

/** Returns the k most similar items of a reference (paper, section 4.1). */
@JsonTypeName("top-k")
public record TopKSearch(String embedder, int k) implements PhysicalOperator {
  public TopKSearch {
    requireAtLeastOne("k", k);
  }

  @Override
  public String id() {
    return "top-k(%s,k=%d)".formatted(embedder, k);
  }
}
