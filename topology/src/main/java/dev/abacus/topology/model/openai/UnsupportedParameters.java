package dev.abacus.topology.model.openai;

import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What of the API a model does without. Learnt from its refusals: reasoning models refuse a
 * temperature and log probabilities, older servers {@code max_completion_tokens} or a response
 * schema. Sending a request again without the parameter is not a retry: it is another request.
 */
record UnsupportedParameters(Set<Parameter> parameters) {

  /** A parameter that is left out, or said in another way. */
  enum Parameter {
    TEMPERATURE("temperature"),
    LOGPROBS("logprobs"),
    /** {@code max_tokens} goes in its place. */
    MAX_COMPLETION_TOKENS("max_completion_tokens"),
    /** The system message shows the schema in its place, and the answer is parsed out of text. */
    RESPONSE_SCHEMA("response.?format|json.schema|structured.output");

    /** How refusals call it. */
    private final Pattern words;

    Parameter(String words) {
      this.words = Pattern.compile(words);
    }
  }

  static final UnsupportedParameters NONE = new UnsupportedParameters(Set.of());

  UnsupportedParameters {
    parameters = Collections.unmodifiableSet(parameters);
  }

  boolean contains(Parameter parameter) {
    return parameters.contains(parameter);
  }

  /**
   * This unsupported with what the refusal complains of left out; null if that is nothing of ours.
   */
  @Nullable UnsupportedParameters learn(ModelFailure.Refused refused, ModelRequest request) {
    if (refused.status() != 400 && refused.status() != 422) {
      return null;
    }
    String words = refused.message().toLowerCase(Locale.ROOT);
    for (Parameter parameter : Parameter.values()) {
      if (sent(parameter, request) && parameter.words.matcher(words).find()) {
        EnumSet<Parameter> more = EnumSet.of(parameter);
        more.addAll(parameters);
        return new UnsupportedParameters(more);
      }
    }
    return null;
  }

  private boolean sent(Parameter parameter, ModelRequest request) {
    return !contains(parameter)
        && switch (parameter) {
          case TEMPERATURE -> true;
          case LOGPROBS -> request.logprobs();
          case MAX_COMPLETION_TOKENS -> request.maxOutputTokens() != null;
          case RESPONSE_SCHEMA -> request.responseSchema() != null;
        };
  }
}
