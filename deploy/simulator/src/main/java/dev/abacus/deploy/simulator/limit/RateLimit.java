package dev.abacus.deploy.simulator.limit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Limits of requests and tokens per minute. Start from {@link #NONE} and change single values.
 *
 * @param requestsPerMinute 0 for no limit
 * @param tokensPerMinute 0 for no limit
 * @param scope what a limit counts
 * @param algorithm how a limit is enforced
 * @param window the limits are enforced over this time, with their share of it: 600 a minute over 1
 *     s are 10 at once; at least 1 ms
 * @param retryAfter what a refusal says about the time of the next attempt
 * @param headers whether responses have the headers {@code x-ratelimit-*}
 * @param models limits of requests per minute of single models, which replace the general one
 */
@RecordBuilder
public record RateLimit(
    double requestsPerMinute,
    double tokensPerMinute,
    Scope scope,
    Algorithm algorithm,
    Duration window,
    RetryAfter retryAfter,
    boolean headers,
    Map<String, Double> models)
    implements RateLimitBuilder.With {

  /** What a limit counts. */
  public enum Scope {
    /** The calls of each model. */
    MODEL,
    /** The calls of all models. */
    KEY
  }

  /** How a limit is enforced. */
  public enum Algorithm {
    /** A bucket of one window's share that fills continuously. */
    TOKEN_BUCKET,
    /** A count that starts again at the end of each window. */
    FIXED_WINDOW
  }

  /** What a refusal says about the time of the next attempt, besides {@code x-ratelimit-*}. */
  public enum RetryAfter {
    /** Nothing. */
    NONE,
    /** {@code Retry-After} in whole seconds, rounded up. */
    SECONDS,
    /** {@code Retry-After} as a date. */
    DATE,
    /** {@code retry-after-ms}, and {@code Retry-After} in seconds. */
    MILLIS
  }

  /** No limits. Limits that are set count per model in buckets of one minute. */
  public static final RateLimit NONE =
      new RateLimit(
          0,
          0,
          Scope.MODEL,
          Algorithm.TOKEN_BUCKET,
          Duration.ofMinutes(1),
          RetryAfter.SECONDS,
          true,
          Map.of());

  public RateLimit {
    models = Map.copyOf(models);
    if (!(requestsPerMinute >= 0 && tokensPerMinute >= 0)
        || models.values().stream().anyMatch(limit -> !(limit >= 0))) {
      throw new IllegalArgumentException("limits per minute must not be negative");
    }
    if (window.toMillis() < 1) {
      throw new IllegalArgumentException("the window of limits must be at least 1 ms");
    }
  }

  /** Limits the requests of one model. */
  public RateLimit withModel(String model, double limit) {
    Map<String, Double> more = new HashMap<>(models);
    more.put(model, limit);
    return withModels(more);
  }

  /** The limit of requests per minute of a model; 0 for none. */
  double requestsPerMinute(String model) {
    return models.getOrDefault(model, requestsPerMinute);
  }

  /**
   * This limit with the values of a JSON object, whose keys are the names of the record's
   * components: {@code {"requestsPerMinute": 20, "algorithm": "fixed-window", "windowMs": 1000}}.
   *
   * @throws IllegalArgumentException if a key or a value is unknown
   */
  public RateLimit with(JsonNode json) {
    RateLimit limit = this;
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      JsonNode value = entry.getValue();
      limit =
          switch (entry.getKey()) {
            case "requestsPerMinute" -> limit.withRequestsPerMinute(number(entry));
            case "tokensPerMinute" -> limit.withTokensPerMinute(number(entry));
            case "scope" -> limit.withScope(parse(Scope.class, value.asText()));
            case "algorithm" -> limit.withAlgorithm(parse(Algorithm.class, value.asText()));
            case "windowMs" -> limit.withWindow(Duration.ofMillis((long) number(entry)));
            case "retryAfter" -> limit.withRetryAfter(parse(RetryAfter.class, value.asText()));
            case "headers" -> limit.withHeaders(value.asBoolean());
            case "models" -> limit.withModels(value);
            default ->
                throw new IllegalArgumentException("'" + entry.getKey() + "' is not a limit");
          };
    }
    return limit;
  }

  private RateLimit withModels(JsonNode json) {
    RateLimit limit = this;
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      limit = limit.withModel(entry.getKey(), number(entry));
    }
    return limit;
  }

  private static double number(Map.Entry<String, JsonNode> entry) {
    if (!entry.getValue().isNumber()) {
      throw new IllegalArgumentException("'" + entry.getKey() + "' must be a number");
    }
    return entry.getValue().doubleValue();
  }

  /**
   * The constant with this name, in lower case with hyphens.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static <E extends Enum<E>> E parse(Class<E> type, String name) {
    E[] constants = type.getEnumConstants();
    return Arrays.stream(constants)
        .filter(constant -> name(constant).equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "'%s' is not one of %s"
                    .formatted(
                        name,
                        String.join(
                            ", ", Arrays.stream(constants).map(RateLimit::name).toList()))));
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The JSON that {@link #with} reads. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("requestsPerMinute", requestsPerMinute)
        .put("tokensPerMinute", tokensPerMinute)
        .put("scope", name(scope))
        .put("algorithm", name(algorithm))
        .put("windowMs", window.toMillis())
        .put("retryAfter", name(retryAfter))
        .put("headers", headers);
    ObjectNode perModel = json.putObject("models");
    models.forEach(perModel::put);
    return json;
  }
}
