package dev.abacus.deploy.simulator.limit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
 * @param windowMs the limits are enforced over this time in milliseconds, with their share of it:
 *     600 a minute over 1 s are 10 at once; at least 1
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
    long windowMs,
    RetryAfter retryAfter,
    boolean headers,
    Map<String, Double> models)
    implements RateLimitBuilder.With {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.READ_ENUMS_USING_TO_STRING)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  /** What a limit counts. */
  public enum Scope {
    /** The calls of each model. */
    MODEL,
    /** The calls of all models. */
    KEY;

    @Override
    public String toString() {
      return word(this);
    }
  }

  /** How a limit is enforced. */
  public enum Algorithm {
    /** A bucket of one window's share that fills continuously. */
    TOKEN_BUCKET,
    /** A count that starts again at the end of each window. */
    FIXED_WINDOW;

    @Override
    public String toString() {
      return word(this);
    }
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
    MILLIS;

    @Override
    public String toString() {
      return word(this);
    }
  }

  /** No limits. Limits that are set count per model in buckets of one minute. */
  public static final RateLimit NONE =
      new RateLimit(
          0, 0, Scope.MODEL, Algorithm.TOKEN_BUCKET, 60_000, RetryAfter.SECONDS, true, Map.of());

  public RateLimit {
    models = Map.copyOf(models);
    if (!(requestsPerMinute >= 0 && tokensPerMinute >= 0)
        || models.values().stream().anyMatch(limit -> !(limit >= 0))) {
      throw new IllegalArgumentException("limits per minute must not be negative");
    }
    if (windowMs < 1) {
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

  /** The time over which the limits are enforced. */
  Duration window() {
    return Duration.ofMillis(windowMs);
  }

  /**
   * This limit with the values of a JSON object, whose keys are the names of the record's
   * components: {@code {"requestsPerMinute": 20, "algorithm": "fixed-window", "windowMs": 1000}}.
   *
   * @throws IllegalArgumentException if a key or a value is unknown
   */
  public RateLimit with(JsonNode json) {
    try {
      return MAPPER.treeToValue(MAPPER.updateValue(toJson(), json), RateLimit.class);
    } catch (UnrecognizedPropertyException e) {
      throw new IllegalArgumentException("'" + e.getPropertyName() + "' is not a limit", e);
    } catch (MismatchedInputException e) {
      Class<?> type = e.getTargetType();
      throw new IllegalArgumentException(
          "'%s' must be %s"
              .formatted(
                  e.getPath().getLast().getFieldName(),
                  type.isEnum()
                      ? "one of " + Arrays.toString(type.getEnumConstants())
                      : "a " + type),
          e);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          e.getCause() == null ? e.getOriginalMessage() : e.getCause().getMessage(), e);
    }
  }

  /** The JSON that {@link #with} reads. */
  public ObjectNode toJson() {
    return MAPPER.valueToTree(this);
  }

  /** The name of a constant in options and in JSON. */
  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
