package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of one model that sees solved examples before the document.
 *
 * @param k number of examples
 * @param embedder name of the embedding model by which each document gets the examples that are
 *     most similar to it; null if all documents get the same
 */
@JsonTypeName("few-shot")
public record FewShot(
    String model,
    int k,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String embedder,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<SolvedExample> shown)
    implements PhysicalOperator.SingleModel, PhysicalOperator.WithExamples {

  /** Number of examples in a plan among which each document's are chosen. */
  public static final int POOL = 24;

  public FewShot {
    requireAtLeastOne("k", k);
    shown = shown == null ? null : List.copyOf(shown);
  }

  /** The same examples for all documents. */
  public FewShot(String model, int k, @Nullable List<SolvedExample> shown) {
    this(model, k, null, shown);
  }

  @Override
  public FewShot with(List<SolvedExample> solved) {
    return new FewShot(model, k, embedder, solved);
  }

  @Override
  public int examples() {
    return k;
  }

  @Override
  public int stored() {
    return embedder == null ? k : Math.max(k, POOL);
  }

  @Override
  public String id() {
    return "few-shot(%s,k=%d%s)".formatted(model, k, embedder == null ? "" : "," + embedder);
  }
}
