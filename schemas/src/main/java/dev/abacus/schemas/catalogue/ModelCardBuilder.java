package dev.abacus.schemas.catalogue;

import com.fasterxml.jackson.databind.annotation.JsonPOJOBuilder;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a card. Its methods are the keys of a card in a catalogue file; {@code name} and {@code
 * contextTokens} are required. The records in {@link ModelCard} describe the values.
 */
@JsonPOJOBuilder(withPrefix = "")
public final class ModelCardBuilder {

  /** How long a call waits for a tier without capacity, unless the card says it. */
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(30);

  /** OpenAI's "Prompt caching" guide; others that cache without marks are alike. */
  private static final int CACHED_TOKENS = 1024;

  private static final int CACHED_STEP = 128;

  private @Nullable String name;
  private ModelCard.Kind kind = ModelCard.Kind.CHAT;
  private double inputUsdPerMillion;
  private @Nullable Double cachedInputUsdPerMillion;
  private double outputUsdPerMillion;
  private @Nullable Double audioInputUsdPerMillion;
  private double quality;
  private double secondsPerOutputToken;
  private int contextTokens;
  private @Nullable String tokenizer;
  private @Nullable String endpoint;
  private @Nullable String apiName;
  private @Nullable String keyVariable;
  private @Nullable String keyHeader;
  private Map<String, String> headers = Map.of();
  private Map<String, String> query = Map.of();
  private @Nullable Long requestsPerMinute;
  private @Nullable Long tokensPerMinute;
  private @Nullable Duration firstByteTimeout;
  private @Nullable Duration timeout;
  private @Nullable Integer maxOutputTokens;
  private @Nullable String reasoningEffort;
  private @Nullable String promptCacheKey;
  private int promptCacheLeastTokens = CACHED_TOKENS;
  private int promptCacheStepTokens = CACHED_STEP;
  private boolean promptCacheMarks;
  private ModelCard.Supports supports = ModelCard.Supports.UNKNOWN;
  private final Map<ServiceTier, ModelCard.Tier> tiers = new EnumMap<>(ServiceTier.class);

  ModelCardBuilder() {}

  public ModelCardBuilder name(String value) {
    name = value;
    return this;
  }

  public ModelCardBuilder kind(ModelCard.@Nullable Kind value) {
    kind = value == null ? ModelCard.Kind.CHAT : value;
    return this;
  }

  public ModelCardBuilder inputUsdPerMillion(double usd) {
    inputUsdPerMillion = usd;
    return this;
  }

  public ModelCardBuilder cachedInputUsdPerMillion(@Nullable Double usd) {
    cachedInputUsdPerMillion = usd;
    return this;
  }

  public ModelCardBuilder outputUsdPerMillion(double usd) {
    outputUsdPerMillion = usd;
    return this;
  }

  public ModelCardBuilder audioInputUsdPerMillion(@Nullable Double usd) {
    audioInputUsdPerMillion = usd;
    return this;
  }

  public ModelCardBuilder quality(double value) {
    quality = value;
    return this;
  }

  public ModelCardBuilder secondsPerOutputToken(double seconds) {
    secondsPerOutputToken = seconds;
    return this;
  }

  public ModelCardBuilder contextTokens(int tokens) {
    contextTokens = tokens;
    return this;
  }

  public ModelCardBuilder tokenizer(@Nullable String value) {
    tokenizer = value;
    return this;
  }

  public ModelCardBuilder endpoint(@Nullable String baseUrl) {
    endpoint = baseUrl;
    return this;
  }

  public ModelCardBuilder apiName(@Nullable String value) {
    apiName = value;
    return this;
  }

  public ModelCardBuilder keyVariable(@Nullable String variable) {
    keyVariable = variable;
    return this;
  }

  public ModelCardBuilder keyHeader(@Nullable String header) {
    keyHeader = header;
    return this;
  }

  public ModelCardBuilder headers(@Nullable Map<String, String> values) {
    headers = values == null ? Map.of() : values;
    return this;
  }

  public ModelCardBuilder query(@Nullable Map<String, String> values) {
    query = values == null ? Map.of() : values;
    return this;
  }

  public ModelCardBuilder requestsPerMinute(@Nullable Long requests) {
    requestsPerMinute = requests;
    return this;
  }

  public ModelCardBuilder tokensPerMinute(@Nullable Long tokens) {
    tokensPerMinute = tokens;
    return this;
  }

  public ModelCardBuilder firstByteTimeoutSeconds(@Nullable Double seconds) {
    firstByteTimeout = duration(seconds);
    return this;
  }

  public ModelCardBuilder timeoutSeconds(@Nullable Double seconds) {
    timeout = duration(seconds);
    return this;
  }

  public ModelCardBuilder maxOutputTokens(@Nullable Integer tokens) {
    maxOutputTokens = tokens;
    return this;
  }

  public ModelCardBuilder reasoningEffort(@Nullable String effort) {
    reasoningEffort = effort;
    return this;
  }

  public ModelCardBuilder promptCacheKey(@Nullable String key) {
    promptCacheKey = key;
    return this;
  }

  public ModelCardBuilder promptCacheLeastTokens(int tokens) {
    promptCacheLeastTokens = tokens;
    return this;
  }

  public ModelCardBuilder promptCacheStepTokens(int tokens) {
    promptCacheStepTokens = tokens;
    return this;
  }

  public ModelCardBuilder promptCacheMarks(boolean value) {
    promptCacheMarks = value;
    return this;
  }

  public ModelCardBuilder supports(ModelCard.@Nullable Supports value) {
    supports = value == null ? ModelCard.Supports.UNKNOWN : value;
    return this;
  }

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

  /** The tiers of the model by their text. */
  public ModelCardBuilder tiers(@Nullable Map<String, TierOfFile> values) {
    if (values != null) {
      values.forEach((text, terms) -> tiers.put(tier(text), terms.toTier()));
    }
    return this;
  }

  /**
   * The card.
   *
   * @throws IllegalArgumentException if a value is missing or out of range; the message names the
   *     model and the key
   */
  public ModelCard build() {
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException("a model has no name");
    }
    return new ModelCard(
        name,
        kind,
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
            headers,
            query,
            new ModelCard.Limits(requestsPerMinute, tokensPerMinute, firstByteTimeout, timeout)),
        new ModelCard.Generation(
            maxOutputTokens,
            reasoningEffort,
            promptCacheKey,
            new ModelCard.PromptCache(
                promptCacheLeastTokens, promptCacheStepTokens, promptCacheMarks),
            supports),
        tiers,
        null);
  }

  private static @Nullable Duration duration(@Nullable Double seconds) {
    return seconds == null ? null : Duration.ofMillis(Math.round(seconds * 1000));
  }
}
