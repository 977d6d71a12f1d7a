package dev.abacus.topology.model;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to a chat model.
 *
 * @param model name of a card in the model catalogue
 * @param system the instructions; identical for all documents of an operator, so that endpoints can
 *     cache them
 * @param content the user message; at least one part
 * @param responseSchema JSON schema of the answer; null for free text
 * @param options how the answer is generated
 * @param timeout limit of one attempt, from connecting to the last byte of the answer; positive;
 *     the timeout of the model's card applies if it is shorter
 */
public record ModelRequest(
    String model,
    String system,
    List<Content> content,
    @Nullable ResponseSchema responseSchema,
    Options options,
    Duration timeout) {

  /** The timeout of requests that do not set one; in practice, that of the model's card applies. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);

  /**
   * Options of text generation.
   *
   * @param temperature sampling temperature in [0, 2]; at 0 the model gives its most likely answer
   * @param maxOutputTokens limit of the answer in tokens, at least 1; null for no limit
   * @param logprobs whether to return the log probabilities of the answer's tokens
   * @param reasoningEffort value of {@code reasoning_effort}; null for that of the model's card
   */
  public record Options(
      double temperature,
      @Nullable Integer maxOutputTokens,
      boolean logprobs,
      @Nullable String reasoningEffort) {

    /** Temperature 0, no limit, no log probabilities. */
    public static final Options DEFAULT = new Options(0, null, false);

    /** Options with the reasoning effort of the model's card. */
    public Options(double temperature, @Nullable Integer maxOutputTokens, boolean logprobs) {
      this(temperature, maxOutputTokens, logprobs, null);
    }

    public Options {
      if (!(temperature >= 0 && temperature <= 2)) {
        throw new IllegalArgumentException("temperature " + temperature + " is not in [0, 2]");
      }
      if (maxOutputTokens != null && maxOutputTokens < 1) {
        throw new IllegalArgumentException("maxOutputTokens must be at least 1");
      }
    }
  }

  public ModelRequest {
    content = List.copyOf(content);
    if (content.isEmpty()) {
      throw new IllegalArgumentException("a request needs content");
    }
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("timeout " + timeout + " is not positive");
    }
  }

  /** A request with default options and timeout. */
  public static ModelRequest of(
      String model, String system, List<Content> content, @Nullable ResponseSchema responseSchema) {
    return new ModelRequest(
        model, system, content, responseSchema, Options.DEFAULT, DEFAULT_TIMEOUT);
  }

  /** This request to another model. */
  public ModelRequest withModel(String other) {
    return new ModelRequest(other, system, content, responseSchema, options, timeout);
  }

  /** This request with another user message. */
  public ModelRequest withContent(List<Content> other) {
    return new ModelRequest(model, system, other, responseSchema, options, timeout);
  }

  /** This request with other options. */
  public ModelRequest withOptions(Options other) {
    return new ModelRequest(model, system, content, responseSchema, other, timeout);
  }

  /** This request at another temperature, in [0, 2]. */
  public ModelRequest withTemperature(double temperature) {
    return withOptions(
        new Options(
            temperature, options.maxOutputTokens(), options.logprobs(), options.reasoningEffort()));
  }

  /** This request for an answer with the log probabilities of its tokens. */
  public ModelRequest withLogprobs() {
    return withOptions(
        new Options(
            options.temperature(), options.maxOutputTokens(), true, options.reasoningEffort()));
  }

  /** This request with a value of {@code reasoning_effort} instead of that of the model's card. */
  public ModelRequest withReasoningEffort(String effort) {
    return withOptions(
        new Options(options.temperature(), options.maxOutputTokens(), options.logprobs(), effort));
  }

  /** This request with another timeout. */
  public ModelRequest withTimeout(Duration other) {
    return new ModelRequest(model, system, content, responseSchema, options, other);
  }
}
