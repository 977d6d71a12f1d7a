package dev.abacus.schemas.catalogue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Published properties of a model: its prices, the basis of priors, its endpoint, and what requests
 * to it may contain. In a catalogue file, a card is one JSON object with these components as keys;
 * {@code name} and {@code contextTokens} are required, and all others may be left out.
 *
 * @param name the name in programs
 * @param kind chat, which is the default, or embedding
 * @param inputUsdPerMillion USD per million input tokens
 * @param cachedInputUsdPerMillion USD per million input tokens served from the provider's cache;
 *     null means the full input price
 * @param outputUsdPerMillion USD per million output tokens, reasoning included; 0 for embeddings
 * @param audioInputUsdPerMillion USD per million input tokens of sounds; null means the input price
 * @param quality MMLU-Pro accuracy in [0, 1]; 0 for embeddings
 * @param secondsPerOutputToken 0 for embeddings
 * @param contextTokens maximum tokens of one call, input plus output
 * @param tokenizer how the model counts tokens: {@code o200k_base}, {@code cl100k_base} or another
 *     vocabulary of OpenAI, {@code all-minilm-l6-v2}, or the path of a {@code tokenizer.json} that
 *     every worker can read; null means by the name of the model, or else an estimate
 * @param endpoint base URL of its OpenAI-compatible API; null means the default endpoint
 * @param apiName name at the endpoint, such as the name of an Azure deployment; null means the name
 *     of the card
 * @param keyVariable environment variable that holds the API key; null means the default key
 * @param keyHeader header that carries the key alone, such as Azure's {@code api-key}; null means
 *     {@code Authorization: Bearer}
 * @param headers added to every request; {@code ${NAME}} in a value stands for an environment
 *     variable
 * @param query parameters added to every URL, such as Azure's {@code api-version}; values as in
 *     {@code headers}
 * @param requestsPerMinute that the account or the server allows, at least 1; null if not known
 * @param tokensPerMinute input plus output, at least 1; null if not known
 * @param firstByteTimeoutSeconds longest time from sending a request to the first byte of the
 *     response; null means no limit besides {@code timeoutSeconds}
 * @param timeoutSeconds longest time of a call; null means {@link #timeout(Integer)}'s default
 * @param maxOutputTokens sent as the limit of the answer unless a request sets a lower one; null
 *     sends none
 * @param reasoningEffort value of {@code reasoning_effort}; null sends none
 * @param promptCacheKey value of {@code prompt_cache_key}; null sends none
 * @param promptCacheLeastTokens shortest beginning of a prompt that the provider caches
 * @param promptCacheStepTokens beginnings are cached in steps of so many tokens
 * @param promptCacheMarks whether the end of what documents share is marked with {@code
 *     cache_control}
 * @param supports optional parts of requests that the model accepts
 * @param tiers other tiers at which the provider serves the model, by their {@linkplain
 *     ServiceTier#text() text}
 * @param served how this card differs from the model's own; null for the standard tier, and no key
 *     of a file
 */
@RecordBuilder
public record ModelCard(
    String name,
    Kind kind,
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
    Map<String, String> headers,
    Map<String, String> query,
    @Nullable Long requestsPerMinute,
    @Nullable Long tokensPerMinute,
    @Nullable Double firstByteTimeoutSeconds,
    @Nullable Double timeoutSeconds,
    @Nullable Integer maxOutputTokens,
    @Nullable String reasoningEffort,
    @Nullable String promptCacheKey,
    Integer promptCacheLeastTokens,
    Integer promptCacheStepTokens,
    boolean promptCacheMarks,
    Supports supports,
    Map<String, Tier> tiers,
    @JsonIgnore @Nullable Served served) {

  /** The embedding model that needs no endpoint: workers carry it. */
  public static final String IN_PROCESS_EMBEDDER = "all-minilm-l6-v2";

  /**
   * An environment variable in a value of {@code headers} or {@code query}; group 1 is its name.
   */
  public static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

  /** What a model does. */
  public enum Kind {
    CHAT,
    EMBEDDING
  }

  /**
   * A service tier of a model.
   *
   * @param inputUsdPerMillion as of the card, and so are the other prices
   * @param timeoutSeconds as of the card; null for that of the card
   * @param patienceSeconds how long a call is repeated that the tier has no capacity for; then it
   *     is made at the standard tier; null for 30 seconds
   */
  public record Tier(
      double inputUsdPerMillion,
      @Nullable Double cachedInputUsdPerMillion,
      double outputUsdPerMillion,
      @Nullable Double timeoutSeconds,
      @Nullable Double patienceSeconds) {}

  /**
   * How a card at a tier differs from the model's own.
   *
   * @param tier asked for in requests
   * @param patience how long a call is repeated that the tier has no capacity for
   * @param standard the model's own card, whose prices answers have that the provider gave at
   *     another tier
   */
  public record Served(ServiceTier tier, Duration patience, ModelCard standard) {}

  /**
   * Whether the model accepts an optional part of a request. Null means that it is not known: the
   * part is sent, and left out if the endpoint refuses it.
   *
   * @param temperature the sampling temperature
   * @param schema a JSON schema of the answer
   * @param images images in the user message
   * @param audio sounds in the user message; null means no
   * @param logprobs log probabilities of the answer's tokens
   * @param reasoningEffort a {@code reasoning_effort} of low, medium or high
   */
  public record Supports(
      @Nullable Boolean temperature,
      @Nullable Boolean schema,
      @Nullable Boolean images,
      @Nullable Boolean audio,
      @Nullable Boolean logprobs,
      @Nullable Boolean reasoningEffort) {

    /** Nothing is known. */
    public static final Supports UNKNOWN = new Supports(null, null, null, null, null, null);
  }

  /** Output tokens that {@link #timeout} assumes if neither request nor card limits them. */
  private static final int ASSUMED_OUTPUT_TOKENS = 4096;

  /** Time of {@link #timeout} for connecting, queues, prompt processing and cold starts. */
  private static final Duration START_MARGIN = Duration.ofMinutes(2);

  /** {@link #timeout} allows the published seconds per output token this many times. */
  private static final double SPEED_MARGIN = 4;

  private static final Duration SHORTEST_DEFAULT_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration LONGEST_DEFAULT_TIMEOUT = Duration.ofMinutes(30);

  /** How long a call waits for a tier without capacity, unless the card says it. */
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(30);

  /** OpenAI's "Prompt caching" guide; others that cache without marks are alike. */
  private static final int CACHED_TOKENS = 1024;

  private static final int CACHED_STEP = 128;

  /**
   * A card.
   *
   * @throws IllegalArgumentException if a value is missing or out of range; the message names the
   *     model and the key
   */
  public ModelCard {
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException("a model has no name");
    }
    kind = Objects.requireNonNullElse(kind, Kind.CHAT);
    headers = copy(headers);
    query = copy(query);
    promptCacheLeastTokens = Objects.requireNonNullElse(promptCacheLeastTokens, CACHED_TOKENS);
    promptCacheStepTokens = Objects.requireNonNullElse(promptCacheStepTokens, CACHED_STEP);
    supports = Objects.requireNonNullElse(supports, Supports.UNKNOWN);
    tiers = copy(tiers);
    for (Map.Entry<String, Tier> tier : tiers.entrySet()) {
      requireTier(name, tier.getKey(), tier.getValue());
    }
    requireAmount(name, "inputUsdPerMillion", inputUsdPerMillion);
    requireAmount(name, "outputUsdPerMillion", outputUsdPerMillion);
    requireAmount(name, "audioInputUsdPerMillion", audioInputUsdPerMillion);
    requireAmount(name, "cachedInputUsdPerMillion", cachedInputUsdPerMillion);
    requireAmount(name, "secondsPerOutputToken", secondsPerOutputToken);
    if (!(quality >= 0 && quality <= 1)) {
      throw new IllegalArgumentException(
          "model " + name + ": quality " + quality + " is not in [0, 1]");
    }
    requireAtLeastOne(name, "contextTokens", contextTokens);
    requireAtLeastOne(name, "requestsPerMinute", requestsPerMinute);
    requireAtLeastOne(name, "tokensPerMinute", tokensPerMinute);
    requirePositive(name, "firstByteTimeoutSeconds", firstByteTimeoutSeconds);
    requirePositive(name, "timeoutSeconds", timeoutSeconds);
    requireAtLeastOne(name, "maxOutputTokens", maxOutputTokens);
    requireAtLeastOne(name, "promptCacheLeastTokens", promptCacheLeastTokens);
    requireAtLeastOne(name, "promptCacheStepTokens", promptCacheStepTokens);
  }

  private static <V> Map<String, V> copy(@Nullable Map<String, V> values) {
    return values == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** A builder of a chat model with this name. */
  public static ModelCardBuilder chat(String name) {
    return ModelCardBuilder.builder().name(name).kind(Kind.CHAT);
  }

  /** A builder of an embedding model with this name. */
  public static ModelCardBuilder embedding(String name) {
    return ModelCardBuilder.builder().name(name).kind(Kind.EMBEDDING);
  }

  /** Whether workers run the model themselves, so that no provider limits its calls. */
  public boolean isInProcess() {
    return name.equals(IN_PROCESS_EMBEDDER) && endpoint == null;
  }

  /** The name at the endpoint. */
  public String nameAtEndpoint() {
    return apiName == null ? name : apiName;
  }

  /** The environment variables that hold the key and stand in headers and parameters. */
  public Stream<String> variables() {
    return Stream.concat(
        Stream.ofNullable(keyVariable),
        Stream.of(headers, query)
            .flatMap(values -> values.values().stream())
            .flatMap(value -> VARIABLE.matcher(value).results())
            .map(variable -> variable.group(1)));
  }

  /** The tokens of a beginning of a prompt of this length that the provider caches. */
  public long cached(long tokens) {
    return tokens < promptCacheLeastTokens
        ? 0
        : tokens / promptCacheStepTokens * promptCacheStepTokens;
  }

  /** USD for the tokens of a call. */
  public double cost(TokenCounts tokens) {
    return cost(tokens.input(), tokens.cachedInput(), tokens.output());
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

  /**
   * USD for the tokens of a call that was answered at a tier.
   *
   * @param tier as the provider states it; null if it states none
   */
  public double cost(TokenCounts tokens, @Nullable String tier) {
    return served == null || served.tier().text().equals(tier)
        ? cost(tokens)
        : served.standard().cost(tokens);
  }

  /** The card of the model at its standard tier. */
  public ModelCard standard() {
    return served == null ? this : served.standard();
  }

  /**
   * USD beyond {@link #cost} for input tokens of sounds, at any tier.
   *
   * @param tokens which are part of the input tokens
   */
  public double surchargeOfSounds(long tokens) {
    Double price = standard().audioInputUsdPerMillion();
    return price == null ? 0 : tokens * (price - standard().inputUsdPerMillion()) / 1e6;
  }

  /** The cards of this model at its tiers. */
  List<ModelCard> atTiers() {
    return tiers.entrySet().stream().map(one -> at(one.getKey(), one.getValue())).toList();
  }

  private ModelCard at(String text, Tier terms) {
    ServiceTier tier = ServiceTier.find(text).orElseThrow();
    Duration patience = duration(terms.patienceSeconds());
    return ModelCardBuilder.builder(this)
        .name(ServiceTier.at(name, text))
        .inputUsdPerMillion(terms.inputUsdPerMillion())
        .cachedInputUsdPerMillion(terms.cachedInputUsdPerMillion())
        .outputUsdPerMillion(terms.outputUsdPerMillion())
        .audioInputUsdPerMillion(null)
        .apiName(nameAtEndpoint())
        .timeoutSeconds(terms.timeoutSeconds() == null ? timeoutSeconds : terms.timeoutSeconds())
        .tiers(Map.of())
        .served(new Served(tier, Objects.requireNonNullElse(patience, DEFAULT_PATIENCE), this))
        .build();
  }

  /** Longest time from sending a request to the first byte of the response; null for no limit. */
  public @Nullable Duration firstByteTimeout() {
    return duration(firstByteTimeoutSeconds);
  }

  /**
   * The longest time of a call, from sending the request to the last byte of the response: that of
   * the card, or by default 2 minutes for queues and cold starts, plus 4 times the time that the
   * model needs for its longest answer; at least 3 and at most 30 minutes.
   *
   * @param requestOutputTokens limit of output tokens of the request; null means that of the card,
   *     or else 4,096
   */
  public Duration timeout(@Nullable Integer requestOutputTokens) {
    Duration own = duration(timeoutSeconds);
    if (own != null) {
      return own;
    }
    long tokens = ASSUMED_OUTPUT_TOKENS;
    if (requestOutputTokens != null) {
      tokens = requestOutputTokens;
    } else if (maxOutputTokens != null) {
      tokens = maxOutputTokens;
    }
    long answerMillis = Math.round(SPEED_MARGIN * tokens * secondsPerOutputToken * 1000);
    Duration all = START_MARGIN.plusMillis(answerMillis);
    Duration capped = all.compareTo(LONGEST_DEFAULT_TIMEOUT) > 0 ? LONGEST_DEFAULT_TIMEOUT : all;
    return capped.compareTo(SHORTEST_DEFAULT_TIMEOUT) < 0 ? SHORTEST_DEFAULT_TIMEOUT : capped;
  }

  private static @Nullable Duration duration(@Nullable Double seconds) {
    return seconds == null ? null : Duration.ofMillis(Math.round(seconds * 1000));
  }

  private static void requireTier(String name, String text, Tier tier) {
    if (ServiceTier.find(text).isEmpty()) {
      throw new IllegalArgumentException(
          "model %s: there is no tier '%s'; there are %s"
              .formatted(name, text, ServiceTier.texts()));
    }
    requireAmount(name, "inputUsdPerMillion", tier.inputUsdPerMillion());
    requireAmount(name, "outputUsdPerMillion", tier.outputUsdPerMillion());
    requireAmount(name, "cachedInputUsdPerMillion", tier.cachedInputUsdPerMillion());
    requirePositive(name, "timeoutSeconds", tier.timeoutSeconds());
  }

  private static void requireAmount(String name, String key, @Nullable Double amount) {
    if (amount != null && !(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("model " + name + ": " + key + " must be a number >= 0");
    }
  }

  private static void requireAtLeastOne(String name, String key, @Nullable Number amount) {
    if (amount != null && amount.longValue() < 1) {
      throw new IllegalArgumentException("model " + name + ": " + key + " must be at least 1");
    }
  }

  private static void requirePositive(String name, String key, @Nullable Double seconds) {
    Duration time = duration(seconds);
    if (time != null && !time.isPositive()) {
      throw new IllegalArgumentException("model " + name + ": " + key + " must be positive");
    }
  }
}
