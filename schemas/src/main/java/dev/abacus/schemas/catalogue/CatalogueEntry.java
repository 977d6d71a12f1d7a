package dev.abacus.schemas.catalogue;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A card as it stands in a catalogue file, flat. Its components are the keys; {@code name} and
 * {@code contextTokens} are required. The records in {@link ModelCard} describe the values.
 *
 * @param kind null for a chat model
 * @param headers null for none
 * @param query null for none
 * @param promptCacheLeastTokens null for {@link #CACHED_TOKENS}
 * @param promptCacheStepTokens null for {@link #CACHED_STEP}
 * @param supports null if nothing is known
 * @param tiers the tiers of the model by their text; null for none
 */
@RecordBuilder
public record CatalogueEntry(
    @Nullable String name,
    ModelCard.@Nullable Kind kind,
    double inputUsdPerMillion,
    @Nullable Double cachedInputUsdPerMillion,
    double outputUsdPerMillion,
    @Nullable Double audioInputUsdPerMillion,
    double quality,
    double secondsPerOutputToken,
    int contextTokens,
    @Nullable String tokenizer,
    @Nullable String endpoint,
    @Nullable String apiName,
    @Nullable String keyVariable,
    @Nullable String keyHeader,
    @Nullable Map<String, String> headers,
    @Nullable Map<String, String> query,
    @Nullable Long requestsPerMinute,
    @Nullable Long tokensPerMinute,
    @Nullable Double firstByteTimeoutSeconds,
    @Nullable Double timeoutSeconds,
    @Nullable Integer maxOutputTokens,
    @Nullable String reasoningEffort,
    @Nullable String promptCacheKey,
    @Nullable Integer promptCacheLeastTokens,
    @Nullable Integer promptCacheStepTokens,
    boolean promptCacheMarks,
    ModelCard.@Nullable Supports supports,
    @Nullable Map<String, TierOfFile> tiers) {

  /** How long a call waits for a tier without capacity, unless the card says it. */
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(30);

  /** OpenAI's "Prompt caching" guide; others that cache without marks are alike. */
  private static final int CACHED_TOKENS = 1024;

  private static final int CACHED_STEP = 128;

  /**
   * A tier in a catalogue file.
   *
   * @param timeoutSeconds as of the card; null for that of the card
   * @param patienceSeconds null for {@link #DEFAULT_PATIENCE}
   */
  public record TierOfFile(
      double inputUsdPerMillion,
      @Nullable Double cachedInputUsdPerMillion,
      double outputUsdPerMillion,
      @Nullable Double timeoutSeconds,
      @Nullable Double patienceSeconds) {

    private ModelCard.Tier toTier() {
      return new ModelCard.Tier(
          new ModelCard.Prices(
              inputUsdPerMillion, cachedInputUsdPerMillion, outputUsdPerMillion, null),
          duration(timeoutSeconds),
          Objects.requireNonNullElse(duration(patienceSeconds), DEFAULT_PATIENCE));
    }
  }

  private ServiceTier tier(String text) {
    return ServiceTier.find(text)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "model %s: there is no tier '%s'; there are %s"
                    .formatted(name, text, ServiceTier.texts())));
  }

  /**
   * The card.
   *
   * @throws IllegalArgumentException if a value is missing or out of range; the message names the
   *     model and the key
   */
  public ModelCard card() {
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException("a model has no name");
    }
    Map<ServiceTier, ModelCard.Tier> terms = new EnumMap<>(ServiceTier.class);
    Objects.requireNonNullElse(tiers, Map.<String, TierOfFile>of())
        .forEach((text, tier) -> terms.put(tier(text), tier.toTier()));
    return new ModelCard(
        name,
        Objects.requireNonNullElse(kind, ModelCard.Kind.CHAT),
        new ModelCard.Prices(
            inputUsdPerMillion,
            cachedInputUsdPerMillion,
            outputUsdPerMillion,
            audioInputUsdPerMillion),
        new ModelCard.Profile(quality, secondsPerOutputToken, contextTokens, tokenizer),
        new ModelCard.Access(
            endpoint,
            apiName,
            new ModelCard.Key(keyVariable, keyHeader),
            Objects.requireNonNullElse(headers, Map.of()),
            Objects.requireNonNullElse(query, Map.of()),
            new ModelCard.Limits(
                requestsPerMinute,
                tokensPerMinute,
                duration(firstByteTimeoutSeconds),
                duration(timeoutSeconds))),
        new ModelCard.Generation(
            maxOutputTokens,
            reasoningEffort,
            promptCacheKey,
            new ModelCard.PromptCache(
                Objects.requireNonNullElse(promptCacheLeastTokens, CACHED_TOKENS),
                Objects.requireNonNullElse(promptCacheStepTokens, CACHED_STEP),
                promptCacheMarks),
            Objects.requireNonNullElse(supports, ModelCard.Supports.UNKNOWN)),
        terms,
        null);
  }

  private static @Nullable Duration duration(@Nullable Double seconds) {
    return seconds == null ? null : Duration.ofMillis(Math.round(seconds * 1000));
  }
}
