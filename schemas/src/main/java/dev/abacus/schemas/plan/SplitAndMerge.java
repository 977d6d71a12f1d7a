package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;
import static dev.abacus.schemas.plan.Parameters.tokensOf;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** Reads the JSON form, also with {@code chunkSize} in characters. */
  @JsonCreator
  static SplitAndMerge read(
      @JsonProperty("model") String model,
      @JsonProperty("chunkTokens") @Nullable Integer chunkTokens,
      @JsonProperty("chunkSize") @Nullable Integer chunkSize,
      @JsonProperty("merger") String merger) {
    return new SplitAndMerge(model, tokensOf(chunkTokens, chunkSize), merger);
  }

  @Override
  public String id() {
    return "split-and-merge(%s,tokens=%d,%s)".formatted(model, chunkTokens, merger);
  }

  @Override
  public List<String> chatModels() {
    return List.of(model, merger);
  }
}
