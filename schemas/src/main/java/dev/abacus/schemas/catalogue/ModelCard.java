package dev.abacus.schemas.catalogue;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Published properties of a model: the prices of calls and the basis of priors.
 *
 * @param name the name in programs
 * @param kind chat or embedding
 * @param inputUsdPerMillion USD per million input tokens
 * @param cachedInputUsdPerMillion USD per million input tokens served from the provider's cache;
 *     null means the full input price
 * @param outputUsdPerMillion USD per million output tokens; 0 for embeddings
 * @param quality MMLU-Pro accuracy in [0, 1]; 0 for embeddings
 * @param secondsPerOutputToken 0 for embeddings
 * @param contextTokens maximum tokens of one call, input plus output
 * @param endpoint base URL of its OpenAI-compatible API; null means the default endpoint
 * @param apiName name at the endpoint; null means {@code name}
 * @param keyVariable environment variable that holds its API key; null means the default key
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ModelCard(
    String name,
    Kind kind,
    double inputUsdPerMillion,
    @Nullable Double cachedInputUsdPerMillion,
    double outputUsdPerMillion,
    double quality,
    double secondsPerOutputToken,
    int contextTokens,
    @Nullable String endpoint,
    @Nullable String apiName,
    @Nullable String keyVariable) {

  /** What a model does. */
  public enum Kind {
    CHAT,
    EMBEDDING
  }

  public ModelCard {
    Objects.requireNonNull(name, "name");
    kind = kind == null ? Kind.CHAT : kind;
    requireAmount(name, "inputUsdPerMillion", inputUsdPerMillion);
    requireAmount(name, "outputUsdPerMillion", outputUsdPerMillion);
    requireAmount(name, "secondsPerOutputToken", secondsPerOutputToken);
    if (!(quality >= 0 && quality <= 1)) {
      throw new IllegalArgumentException(
          "model " + name + ": quality " + quality + " is not in [0, 1]");
    }
    if (contextTokens < 1) {
      throw new IllegalArgumentException("model " + name + ": contextTokens must be at least 1");
    }
  }

  /** The name at the endpoint. */
  public String nameAtEndpoint() {
    return apiName == null ? name : apiName;
  }

  /** USD for one call. */
  public double cost(long inputTokens, long cachedInputTokens, long outputTokens) {
    double cachedPrice =
        cachedInputUsdPerMillion == null ? inputUsdPerMillion : cachedInputUsdPerMillion;
    return ((inputTokens - cachedInputTokens) * inputUsdPerMillion
            + cachedInputTokens * cachedPrice
            + outputTokens * outputUsdPerMillion)
        / 1e6;
  }

  private static void requireAmount(String name, String key, double amount) {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("model " + name + ": " + key + " must be a number >= 0");
    }
  }
}
