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
 * The request parameters that an endpoint does not support for a model, learned from its refusals
 * (status 400 or 422). Reasoning models refuse a temperature and log probabilities; older servers
 * refuse {@code max_completion_tokens} or a response schema.
 */
record UnsupportedParameters(Set<Parameter> parameters) {

  /** A parameter that some endpoints refuse. */
  enum Parameter {
    /** Left out. */
    TEMPERATURE("temperature"),
    /** Left out. */
    LOGPROBS("logprobs"),
    /** Replaced by {@code max_tokens}. */
    MAX_COMPLETION_TOKENS("max_completion_tokens"),
    /** Replaced by the schema as text in the system message. */
    RESPONSE_SCHEMA("response.?format|json.schema|structured.output");

    /** Matches the parameter in the message of a refusal. */
    private final Pattern name;

    Parameter(String name) {
      this.name = Pattern.compile(name);
    }
  }

  /** The endpoint supports all parameters. */
  static final UnsupportedParameters NONE = new UnsupportedParameters(Set.of());

  UnsupportedParameters {
    parameters = Collections.unmodifiableSet(parameters);
  }

  boolean contains(Parameter parameter) {
    return parameters.contains(parameter);
  }

  /**
   * Adds the parameter that a refusal names.
   *
   * @return null if the refusal names no parameter of the request
   */
  @Nullable UnsupportedParameters learn(ModelFailure.Refused refusal, ModelRequest request) {
    if (refusal.status() != 400 && refusal.status() != 422) {
      return null;
    }
    String message = refusal.message().toLowerCase(Locale.ROOT);
    for (Parameter parameter : Parameter.values()) {
      if (isSent(parameter, request) && parameter.name.matcher(message).find()) {
        EnumSet<Parameter> more = EnumSet.of(parameter);
        more.addAll(parameters);
        return new UnsupportedParameters(more);
      }
    }
    return null;
  }

  private boolean isSent(Parameter parameter, ModelRequest request) {
    return !contains(parameter)
        && switch (parameter) {
          case TEMPERATURE -> true;
          case LOGPROBS -> request.options().logprobs();
          case MAX_COMPLETION_TOKENS -> request.options().maxOutputTokens() != null;
          case RESPONSE_SCHEMA -> request.responseSchema() != null;
        };
  }
}
