package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;

import com.fasterxml.jackson.annotation.JsonTypeName;

/**
 * One call of one model over the {@code k} chunks of the input that are most similar to the
 * instruction.
 *
 * @param embedder name of an embedding model of the catalogue
 * @param chunkTokens maximum tokens of a chunk, as the model counts them
 * @param k number of chunks
 */
@JsonTypeName("reduced-context")
public record ReducedContext(String model, String embedder, int chunkTokens, int k)
    implements PhysicalOperator.SingleModel {

  public ReducedContext {
    requireAtLeastOne("chunkTokens", chunkTokens);
    requireAtLeastOne("k", k);
  }

  @Override
  public String id() {
    return "reduced-context(" + model + "," + embedder + ",tokens=" + chunkTokens + ",k=" + k + ")";
  }

  @Override
  public boolean showsWhole(int texts, long bytes) {
    return texts <= k && bytes <= chunkTokens;
  }
}
