package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.abacus.schemas.plan.PhysicalOperator.Shortlisting;

/**
 * One call that names all matches among the k items that are most similar to the document, or none:
 * a join as a classification with several labels, as in Cortex AISQL (2025). An item outside of the
 * k is not matched.
 */
@JsonTypeName("choice-join")
public record ChoiceJoin(String model, String embedder, int k) implements Shortlisting {

  public ChoiceJoin {
    requireAtLeastOne("k", k);
  }

  @Override
  public String id() {
    return "choice-join(%s,%s,k=%d)".formatted(model, embedder, k);
  }
}
