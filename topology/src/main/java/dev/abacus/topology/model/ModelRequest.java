package dev.abacus.topology.model;

import dev.abacus.schemas.document.Media;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
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
@RecordBuilder
public record ModelRequest(
    String model,
    String system,
    List<Content> content,
    @Nullable ResponseSchema responseSchema,
    Options options,
    Duration timeout)
    implements ModelRequestBuilder.With {

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
  @RecordBuilder
  public record Options(
      double temperature,
      @Nullable Integer maxOutputTokens,
      boolean logprobs,
      @Nullable String reasoningEffort)
      implements ModelRequestOptionsBuilder.With {

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

  /** This request at another temperature, in [0, 2]. */
  public ModelRequest withTemperature(double temperature) {
    return withOptions(options.withTemperature(temperature));
  }

  /** This request for an answer with the log probabilities of its tokens. */
  public ModelRequest withLogprobs() {
    return withOptions(options.withLogprobs(true));
  }

  /** This request with a value of {@code reasoning_effort} instead of that of the model's card. */
  public ModelRequest withReasoningEffort(String effort) {
    return withOptions(options.withReasoningEffort(effort));
  }

  /** The texts of the content, in order. */
  public Stream<String> texts() {
    return content.stream()
        .flatMap(
            part -> part instanceof Content.Text(String text) ? Stream.of(text) : Stream.empty());
  }

  /** The files of the content, in order. */
  public Stream<Media> media() {
    return content.stream()
        .flatMap(part ->
            part instanceof Content.Attachment(Media file) ? Stream.of(file) : Stream.empty());
  }
}
