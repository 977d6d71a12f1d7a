package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/**
 * One call for each chunk of a long document, and one call that merges the answers. A document of
 * one chunk takes one call.
 *
 * @param chunkTokens maximum tokens of a chunk, as the model counts them
 */
@JsonTypeName("split-and-merge")
public record SplitAndMerge(String model, int chunkTokens, String merger)
    implements PhysicalOperator {
  public SplitAndMerge {
    requireAtLeastOne("chunkTokens", chunkTokens);
  }

  @Override
  public String id() {
    return "split-and-merge(%s,tokens=%d,%s)".formatted(model, chunkTokens, merger);
  }

  @Override
  public List<String> chatModels() {
    return List.of(model, merger);
  }

  @Override
  public boolean showsWhole(int texts, long bytes) {
    return bytes <= chunkTokens;
  }
}
