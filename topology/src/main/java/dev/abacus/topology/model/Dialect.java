package dev.abacus.topology.model;

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
record Dialect(Set<Omission> omissions) {

  /** A parameter that is left out, or said in another way. */
  enum Omission {
    TEMPERATURE("temperature"),
    LOGPROBS("logprobs"),
    /** {@code max_tokens} goes in its place. */
    MAX_COMPLETION_TOKENS("max_completion_tokens"),
    /** The system message shows the schema in its place, and the answer is parsed out of text. */
    RESPONSE_SCHEMA("response.?format|json.schema|structured.output");

    /** How refusals call it. */
    private final Pattern words;

    Omission(String words) {
      this.words = Pattern.compile(words);
    }
  }

  static final Dialect FULL = new Dialect(Set.of());

  Dialect {
    omissions = Collections.unmodifiableSet(omissions);
  }

  boolean omits(Omission omission) {
    return omissions.contains(omission);
  }

  /** This dialect with what the refusal complains of left out; null if that is nothing of ours. */
  @Nullable Dialect learn(ModelFailure.Refused refused, ModelRequest request) {
    if (refused.status() != 400 && refused.status() != 422) {
      return null;
    }
    String words = refused.message().toLowerCase(Locale.ROOT);
    for (Omission omission : Omission.values()) {
      if (sent(omission, request) && omission.words.matcher(words).find()) {
        EnumSet<Omission> more = EnumSet.of(omission);
        more.addAll(omissions);
        return new Dialect(more);
      }
    }
    return null;
  }

  private boolean sent(Omission omission, ModelRequest request) {
    return !omits(omission)
        && switch (omission) {
          case TEMPERATURE -> true;
          case LOGPROBS -> request.logprobs();
          case MAX_COMPLETION_TOKENS -> request.maxOutputTokens() != null;
          case RESPONSE_SCHEMA -> request.responseSchema() != null;
        };
  }
}
