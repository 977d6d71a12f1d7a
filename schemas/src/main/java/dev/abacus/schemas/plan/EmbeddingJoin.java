package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.pairs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rejects pairs whose similarity is below {@code low}, accepts those above {@code high}, and asks a
 * model about the pairs between (paper, section 4.1).
 *
 * @param low cosine similarity; null until it is learnt: no pair is rejected without a call
 * @param high cosine similarity; null until it is learnt: no pair is accepted without a call
 * @param k number of labelled pairs that the prompts of the model show
 */
@JsonTypeName("embedding-join")
public record EmbeddingJoin(
    String model,
    String embedder,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double low,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double high,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) Integer k,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<SolvedExample> shown)
    implements PhysicalOperator.SingleModel,
        PhysicalOperator.Learnable,
        PhysicalOperator.WithExamples {

  public EmbeddingJoin {
    if (low != null && high != null && low > high) {
      throw new IllegalArgumentException("low " + low + " is above high " + high);
    }
    k = pairs(k);
    shown = shown == null ? null : List.copyOf(shown);
  }

  /** A join whose prompts show no pairs. */
  public EmbeddingJoin(String model, String embedder, @Nullable Double low, @Nullable Double high) {
    this(model, embedder, low, high, 0, null);
  }

  /** The same join with these thresholds. */
  public EmbeddingJoin with(@Nullable Double low, @Nullable Double high) {
    return new EmbeddingJoin(model, embedder, low, high, k, shown);
  }

  @Override
  public EmbeddingJoin with(List<SolvedExample> solved) {
    return new EmbeddingJoin(model, embedder, low, high, k, solved);
  }

  @Override
  public int examples() {
    return k;
  }

  @Override
  public boolean matches(PhysicalOperator other) {
    return equals(other)
        || (other instanceof EmbeddingJoin join
            && id().equals(join.id())
            && (!isTrained() || (Objects.equals(low, join.low) && Objects.equals(high, join.high)))
            && (shown == null || shown.equals(join.shown)));
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
    return "embedding-join(%s,%s%s)".formatted(model, embedder, k == 0 ? "" : ",k=" + k);
  }
}
