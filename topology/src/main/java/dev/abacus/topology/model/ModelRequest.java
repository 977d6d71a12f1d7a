package dev.abacus.topology.model;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One question to one chat model.
 *
 * @param model name of a card of the model catalogue
 * @param system what the model is to do; the same for every document of an operator, so that
 *     endpoints can cache it
 * @param content what it is to do it to; at least one part
 * @param responseSchema the form of the answer; null means free text
 * @param temperature 0 to 2; 0 asks for the likeliest answer
 * @param maxOutputTokens most tokens of the answer; null means as many as the model likes
 * @param logprobs whether the log probabilities of the answer's tokens are wanted
 * @param timeout longest that one attempt may take, from connecting to the last byte of the answer
 */
public record ModelRequest(
    String model,
    String system,
    List<Content> content,
    @Nullable ResponseSchema responseSchema,
    double temperature,
    @Nullable Integer maxOutputTokens,
    boolean logprobs,
    Duration timeout) {

  /** How long an attempt may take where nobody says otherwise. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  public ModelRequest {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(system, "system");
    content = List.copyOf(content);
    if (content.isEmpty()) {
      throw new IllegalArgumentException("a request without content");
    }
    if (!(temperature >= 0 && temperature <= 2)) {
      throw new IllegalArgumentException("temperature " + temperature + " is not in [0, 2]");
    }
    if (maxOutputTokens != null && maxOutputTokens < 1) {
      throw new IllegalArgumentException("maxOutputTokens must be at least 1");
    }
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("timeout " + timeout + " is not positive");
    }
  }

  /** A request for a structured answer at temperature 0, everything else by default. */
  public static ModelRequest of(
      String model, String system, List<Content> content, ResponseSchema responseSchema) {
    return new ModelRequest(
        model, system, content, responseSchema, 0, null, false, DEFAULT_TIMEOUT);
  }

  /** This request about something else. */
  public ModelRequest withContent(List<Content> other) {
    return new ModelRequest(
        model, system, other, responseSchema, temperature, maxOutputTokens, logprobs, timeout);
  }

  /** This request at another temperature. */
  public ModelRequest withTemperature(double other) {
    return new ModelRequest(
        model, system, content, responseSchema, other, maxOutputTokens, logprobs, timeout);
  }

  /** This request with another timeout. */
  public ModelRequest withTimeout(Duration other) {
    return new ModelRequest(
        model, system, content, responseSchema, temperature, maxOutputTokens, logprobs, other);
  }
}
