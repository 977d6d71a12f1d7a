package dev.abacus.schemas.catalogue;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Published properties of a model: its prices, the basis of priors, its endpoint, and what requests
 * to it may contain. In a catalogue file, a card is one flat JSON object with the keys of {@link
 * CatalogueEntry}.
 *
 * @param name the name in programs
 * @param kind chat or embedding
 * @param prices USD per token
 * @param profile quality, speed and context size
 * @param access address, key and limits
 * @param generation settings of requests
 * @param tiers other tiers at which the provider serves the model
 * @param served the tier of this card; null for the standard tier
 */
public record ModelCard(
    String name,
    Kind kind,
    Prices prices,
    Profile profile,
    Access access,
    Generation generation,
    Map<ServiceTier, Tier> tiers,
    @Nullable Served served) {

  /** The embedding model that needs no endpoint: workers carry it. */
  public static final String IN_PROCESS_EMBEDDER = "all-minilm-l6-v2";

  /** What a model does. */
  public enum Kind {
    CHAT,
    EMBEDDING
  }

  /**
   * Prices of calls.
   *
   * @param inputUsdPerMillion USD per million input tokens
   * @param cachedInputUsdPerMillion USD per million input tokens served from the provider's cache;
   *     null means the full input price
   * @param outputUsdPerMillion USD per million output tokens, reasoning included; 0 for embeddings
   * @param audioInputUsdPerMillion USD per million input tokens of sounds; null means the input
   *     price
   */
  public record Prices(
      double inputUsdPerMillion,
      @Nullable Double cachedInputUsdPerMillion,
      double outputUsdPerMillion,
      @Nullable Double audioInputUsdPerMillion) {

    /** USD for one call. */
    double cost(long inputTokens, long cachedInputTokens, long outputTokens) {
      double cachedPrice =
          cachedInputUsdPerMillion == null ? inputUsdPerMillion : cachedInputUsdPerMillion;
      return ((inputTokens - cachedInputTokens) * inputUsdPerMillion
              + cachedInputTokens * cachedPrice
              + outputTokens * outputUsdPerMillion)
          / 1e6;
    }
  }

  /**
   * A service tier of a model.
   *
   * @param prices USD per token
   * @param timeout longest time of a call; null means {@link #timeout(Integer)}'s default
   * @param patience how long a call is repeated that the tier has no capacity for; then it is made
   *     at the standard tier
   */
  public record Tier(Prices prices, @Nullable Duration timeout, Duration patience) {}

  /**
   * How a card at a tier differs from the model's own.
   *
   * @param tier asked for in requests
   * @param patience as in {@link Tier}
   * @param standard prices of answers that the provider gave at another tier
   */
  public record Served(ServiceTier tier, Duration patience, Prices standard) {}

  /**
   * The basis of priors and of context checks.
   *
   * @param quality MMLU-Pro accuracy in [0, 1]; 0 for embeddings
   * @param secondsPerOutputToken 0 for embeddings
   * @param contextTokens maximum tokens of one call, input plus output
   * @param tokenizer how the model counts tokens: {@code o200k_base}, {@code cl100k_base} or
   *     another vocabulary of OpenAI, {@code all-minilm-l6-v2}, or the path of a {@code
   *     tokenizer.json} that every worker can read; null means by the name of the model, or else an
   *     estimate
   */
  public record Profile(
      double quality,
      double secondsPerOutputToken,
      int contextTokens,
      @Nullable String tokenizer) {}

  /**
   * How to reach the model.
   *
   * @param endpoint base URL of its OpenAI-compatible API; null means the default endpoint
   * @param apiName name at the endpoint, such as the name of an Azure deployment; null means the
   *     name of the card
   * @param key where the API key is, and how it is sent
   * @param headers added to every request; {@code ${NAME}} in a value stands for an environment
   *     variable
   * @param query parameters added to every URL, such as Azure's {@code api-version}; values as in
   *     {@code headers}
   * @param limits of rate and time
   */
  public record Access(
      @Nullable String endpoint,
      @Nullable String apiName,
      Key key,
      Map<String, String> headers,
      Map<String, String> query,
      Limits limits) {

    public Access {
      headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
      query = Collections.unmodifiableMap(new LinkedHashMap<>(query));
    }

    /** The same access to a model of this name at the endpoint, with another timeout. */
    Access at(String nameAtEndpoint, @Nullable Duration timeout) {
      Limits other =
          new Limits(
              limits.requestsPerMinute(),
              limits.tokensPerMinute(),
              limits.firstByteTimeout(),
              timeout == null ? limits.timeout() : timeout);
      return new Access(endpoint, nameAtEndpoint, key, headers, query, other);
    }
  }

  /**
   * The API key of a model.
   *
   * @param variable environment variable that holds it; null means the default key
   * @param header header that carries it alone, such as Azure's {@code api-key}; null means {@code
   *     Authorization: Bearer}
   */
  public record Key(@Nullable String variable, @Nullable String header) {}

  /**
   * Limits of the account or the server for this model. Null values are not known.
   *
   * @param requestsPerMinute at least 1
   * @param tokensPerMinute input plus output; at least 1
   * @param firstByteTimeout longest time from sending a request to the first byte of the response;
   *     null means no limit besides {@code timeout}
   * @param timeout longest time of a call; null means {@link #timeout(Integer)}'s default
   */
  public record Limits(
      @Nullable Long requestsPerMinute,
      @Nullable Long tokensPerMinute,
      @Nullable Duration firstByteTimeout,
      @Nullable Duration timeout) {}

  /**
   * Settings of chat requests.
   *
   * @param maxOutputTokens sent as the limit of the answer unless a request sets a lower one; null
   *     sends none
   * @param reasoningEffort value of {@code reasoning_effort}; null sends none
   * @param promptCacheKey value of {@code prompt_cache_key}; null sends none
   * @param promptCache what the provider caches of prompts
   * @param supports optional parts of requests that the model accepts
   */
  public record Generation(
      @Nullable Integer maxOutputTokens,
      @Nullable String reasoningEffort,
      @Nullable String promptCacheKey,
      PromptCache promptCache,
      Supports supports) {}

  /**
   * What a provider caches of prompts: their beginnings.
   *
   * @param leastTokens shortest beginning that is cached
   * @param stepTokens beginnings are cached in steps of so many tokens
   * @param marks whether the end of what documents share is marked with {@code cache_control}
   */
  public record PromptCache(int leastTokens, int stepTokens, boolean marks) {

    /** The tokens of a beginning of this length that are cached. */
    public long cached(long tokens) {
      return tokens < leastTokens ? 0 : tokens / stepTokens * stepTokens;
    }
  }

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

  public ModelCard {
    Objects.requireNonNull(name, "name");
    requirePrices(name, prices);
    requireAmount(name, "secondsPerOutputToken", profile.secondsPerOutputToken());
    tiers = tiers.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(tiers));
    for (Tier tier : tiers.values()) {
      requirePrices(name, tier.prices());
      requirePositive(name, "timeoutSeconds", tier.timeout());
    }
    if (!(profile.quality() >= 0 && profile.quality() <= 1)) {
      throw new IllegalArgumentException(
          "model " + name + ": quality " + profile.quality() + " is not in [0, 1]");
    }
    requireAtLeastOne(name, "contextTokens", (long) profile.contextTokens());
    requireAtLeastOne(name, "requestsPerMinute", access.limits().requestsPerMinute());
    requireAtLeastOne(name, "tokensPerMinute", access.limits().tokensPerMinute());
    requirePositive(name, "firstByteTimeoutSeconds", access.limits().firstByteTimeout());
    requirePositive(name, "timeoutSeconds", access.limits().timeout());
    Integer output = generation.maxOutputTokens();
    requireAtLeastOne(name, "maxOutputTokens", output == null ? null : Long.valueOf(output));
    PromptCache cache = generation.promptCache();
    requireAtLeastOne(name, "promptCacheLeastTokens", (long) cache.leastTokens());
    requireAtLeastOne(name, "promptCacheStepTokens", (long) cache.stepTokens());
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static ModelCard of(CatalogueEntry entry) {
    return entry.card();
  }

  /** A builder of a chat model with this name. */
  public static CatalogueEntryBuilder chat(String name) {
    return CatalogueEntryBuilder.builder().name(name).kind(Kind.CHAT);
  }

  /** A builder of an embedding model with this name. */
  public static CatalogueEntryBuilder embedding(String name) {
    return CatalogueEntryBuilder.builder().name(name).kind(Kind.EMBEDDING);
  }

  /** Whether workers run the model themselves, so that no provider limits its calls. */
  public boolean isInProcess() {
    return name.equals(IN_PROCESS_EMBEDDER) && access.endpoint() == null;
  }

  /** The name at the endpoint. */
  public String nameAtEndpoint() {
    return access.apiName() == null ? name : access.apiName();
  }

  /** MMLU-Pro accuracy in [0, 1]; 0 for embeddings. */
  public double quality() {
    return profile.quality();
  }

  /** 0 for embeddings. */
  public double secondsPerOutputToken() {
    return profile.secondsPerOutputToken();
  }

  /** Maximum tokens of one call, input plus output. */
  public int contextTokens() {
    return profile.contextTokens();
  }

  /** How the model counts tokens; null means by its name, or else an estimate. */
  public @Nullable String tokenizer() {
    return profile.tokenizer();
  }

  /** Requests per minute that the account may send; null if not known. */
  public @Nullable Long requestsPerMinute() {
    return access.limits().requestsPerMinute();
  }

  /** Input plus output tokens per minute that the account may use; null if not known. */
  public @Nullable Long tokensPerMinute() {
    return access.limits().tokensPerMinute();
  }

  /** Limit of output tokens that requests state unless they set a lower one; null for none. */
  public @Nullable Integer maxOutputTokens() {
    return generation.maxOutputTokens();
  }

  /** Optional parts of requests that the model accepts. */
  public Supports supports() {
    return generation.supports();
  }

  /** USD for the tokens of a call. */
  public double cost(TokenCounts tokens) {
    return cost(tokens.input(), tokens.cachedInput(), tokens.output());
  }

  /** USD for one call. */
  public double cost(long inputTokens, long cachedInputTokens, long outputTokens) {
    return prices.cost(inputTokens, cachedInputTokens, outputTokens);
  }

  /**
   * USD for the tokens of a call that was answered at a tier.
   *
   * @param tier as the provider states it; null if it states none
   */
  public double cost(TokenCounts tokens, @Nullable String tier) {
    return served == null || served.tier().text().equals(tier)
        ? cost(tokens)
        : standardCost(tokens.input(), tokens.cachedInput(), tokens.output());
  }

  /** USD for one call at the standard tier of the model. */
  public double standardCost(long inputTokens, long cachedInputTokens, long outputTokens) {
    return (served == null ? prices : served.standard())
        .cost(inputTokens, cachedInputTokens, outputTokens);
  }

  /**
   * USD beyond {@link #cost} for input tokens of sounds, at any tier.
   *
   * @param tokens which are part of the input tokens
   */
  public double surchargeOfSounds(long tokens) {
    Prices own = served == null ? prices : served.standard();
    Double price = own.audioInputUsdPerMillion();
    return price == null ? 0 : tokens * (price - own.inputUsdPerMillion()) / 1e6;
  }

  /** The cards of this model at its tiers. */
  List<ModelCard> atTiers() {
    return tiers.entrySet().stream().map(one -> at(one.getKey(), one.getValue())).toList();
  }

  private ModelCard at(ServiceTier tier, Tier terms) {
    return new ModelCard(
        tier.of(name),
        kind,
        terms.prices(),
        profile,
        access.at(nameAtEndpoint(), terms.timeout()),
        generation,
        Map.of(),
        new Served(tier, terms.patience(), prices));
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
    Duration own = access.limits().timeout();
    if (own != null) {
      return own;
    }
    long tokens = ASSUMED_OUTPUT_TOKENS;
    if (requestOutputTokens != null) {
      tokens = requestOutputTokens;
    } else if (maxOutputTokens() != null) {
      tokens = maxOutputTokens();
    }
    long answerMillis = Math.round(SPEED_MARGIN * tokens * secondsPerOutputToken() * 1000);
    Duration all = START_MARGIN.plusMillis(answerMillis);
    Duration capped = all.compareTo(LONGEST_DEFAULT_TIMEOUT) > 0 ? LONGEST_DEFAULT_TIMEOUT : all;
    return capped.compareTo(SHORTEST_DEFAULT_TIMEOUT) < 0 ? SHORTEST_DEFAULT_TIMEOUT : capped;
  }

  private static void requirePrices(String name, Prices prices) {
    requireAmount(name, "inputUsdPerMillion", prices.inputUsdPerMillion());
    requireAmount(name, "outputUsdPerMillion", prices.outputUsdPerMillion());
    if (prices.audioInputUsdPerMillion() != null) {
      requireAmount(name, "audioInputUsdPerMillion", prices.audioInputUsdPerMillion());
    }
    if (prices.cachedInputUsdPerMillion() != null) {
      requireAmount(name, "cachedInputUsdPerMillion", prices.cachedInputUsdPerMillion());
    }
  }

  private static void requireAmount(String name, String key, double amount) {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("model " + name + ": " + key + " must be a number >= 0");
    }
  }

  private static void requireAtLeastOne(String name, String key, @Nullable Long amount) {
    if (amount != null && amount < 1) {
      throw new IllegalArgumentException("model " + name + ": " + key + " must be at least 1");
    }
  }

  private static void requirePositive(String name, String key, @Nullable Duration time) {
    if (time != null && !time.isPositive()) {
      throw new IllegalArgumentException("model " + name + ": " + key + " must be positive");
    }
  }
}
