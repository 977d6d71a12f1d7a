package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Rejects pairs whose similarity is below {@code low}, accepts those above {@code high}, and asks a
 * model about the pairs between (paper, section 4.1).
 *
 * @param low cosine similarity; null until it is learnt: no pair is rejected without a call
 * @param high cosine similarity; null until it is learnt: no pair is accepted without a call
 */
@JsonTypeName("embedding-join")
public record EmbeddingJoin(
    String model,
    String embedder,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double low,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double high)
    implements PhysicalOperator.SingleModel, PhysicalOperator.Learnable {

  public EmbeddingJoin {
    if (low != null && high != null && low > high) {
      throw new IllegalArgumentException("low " + low + " is above high " + high);
    }
  }

  /** The same join with these thresholds. */
  public EmbeddingJoin with(@Nullable Double low, @Nullable Double high) {
    return new EmbeddingJoin(model, embedder, low, high);
  }

  @Override
  public String features() {
    return embedder;
  }

  @Override
  public boolean isTrained() {
    return low != null || high != null;
  }

  @Override
  public String id() {
    return "embedding-join(%s,%s)".formatted(model, embedder);
  }
}
