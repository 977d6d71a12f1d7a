package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.ModelRequest;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A change to requests for a model that does not accept every part of them. */
enum Adjustment {
  /** Sends no temperature. Reasoning models refuse it. */
  NO_TEMPERATURE("temperature"),
  /** Requests no log probabilities. Reasoning models refuse them. */
  NO_LOGPROBS("(?:top_)?logprobs"),
  /** Sends {@code max_tokens} instead of {@code max_completion_tokens}, for older servers. */
  MAX_TOKENS("max_completion_tokens"),
  /** Sends no {@code reasoning_effort}. */
  NO_REASONING_EFFORT("reasoning[_.]effort"),
  /** Sends no {@code prompt_cache_key}. */
  NO_PROMPT_CACHE_KEY("prompt_cache_key"),
  /** Sends no {@code service_tier}: the endpoint does not serve this model at other tiers. */
  NO_SERVICE_TIER("service_tier"),
  /** Puts the instructions in front of the user message, for chat templates without a system. */
  MERGED_SYSTEM("messages(?:\\[0]|\\.0)?\\.role"),
  /**
   * Sends the schema with the most common keywords only, and puts the whole schema into the
   * instructions too. Concerns one schema.
   */
  PLAIN_SCHEMA("response_format(?:\\..*)?|text\\.format(?:\\..*)?|guided_json"),
  /** Puts the schema into the instructions only. Concerns one schema. */
  SCHEMA_AS_TEXT("response_format(?:\\..*)?|text\\.format(?:\\..*)?|guided_json"),
  /**
   * Puts the schema into the instructions too, because the endpoint ignores {@code
   * response_format}. Concerns one schema.
   */
  SCHEMA_AS_TEXT_TOO("");

  private static final Pattern SYSTEM_ROLE =
      Pattern.compile(
          "system (?:role|messages?) (?:is |are )?not supported|unsupported role: system"
              + "|^conversation roles must alternate");

  /** What vLLM, llama.cpp, Ollama, Azure and OpenAI say of a schema that they do not accept. */
  private static final Pattern SCHEMA =
      Pattern.compile(
          "(?:response[_ ]format|json[_ ]schema|structured[_ ]outputs?|guided[_ ](?:json|decoding)"
              + "|grammar).{0,120}(?:not|unsupported|only|invalid|unknown|fail|error)"
              + "|(?:not|unsupported|invalid|unknown|unrecognized|unexpected|fail\\w*|error).{0,120}"
              + "(?:response[_ ]format|json[_ ]schema|structured[_ ]outputs?"
              + "|guided[_ ](?:json|decoding)|grammar)",
          Pattern.DOTALL);

  private final Pattern parameter;
  private final Pattern text;

  Adjustment(String parameter) {
    this.parameter = Pattern.compile(parameter);
    this.text =
        Pattern.compile(refusals("['\"`]?\\b(?:" + parameter + ")\\b['\"`]?"), Pattern.DOTALL);
  }

  /** Sentences that say that a parameter is refused, not sentences that mention its name. */
  private static String refusals(String name) {
    return "(?:unsupported|unrecognized|unknown|unexpected|invalid|extra)[^.\\n]{0,30}"
        + "(?:parameters?|arguments?|values?|fields?|keys?|inputs?)[^.\\n]{0,30}"
        + name
        + "|"
        + name
        + "(?:\\s+\\S+){0,3}?\\s+(?:(?:is|are) )?(?:not (?:supported|allowed|permitted|available)"
        + "|unsupported|deprecated|does(?: not|n't) support)"
        + "|does(?: not|n't) support (?:the )?(?:parameters?:? )?[\\[{]?"
        + name
        + "|not allowed to request "
        + name;
  }

  /**
   * The adjustment that answers a refusal. The parameter that the endpoint names decides; only if
   * it names none, the text of the message does.
   *
   * @param made adjustments of the refused request
   * @return null if the refusal concerns no part of the request that can be changed
   */
  static @Nullable Adjustment answering(
      RefusalBody refusal, ModelRequest request, ModelCard card, Set<Adjustment> made) {
    String text = refusal.message().toLowerCase(Locale.ROOT);
    for (Adjustment adjustment : values()) {
      if (adjustment.applies(request, card, made)
          && (refusal.parameter().isEmpty()
              ? adjustment.isRefusedIn(text)
              : adjustment.parameter.matcher(refusal.parameter()).matches())) {
        return adjustment;
      }
    }
    return null;
  }

  private boolean isRefusedIn(String text) {
    return switch (this) {
      case MERGED_SYSTEM -> SYSTEM_ROLE.matcher(text).find();
      case PLAIN_SCHEMA, SCHEMA_AS_TEXT -> SCHEMA.matcher(text).find();
      case SCHEMA_AS_TEXT_TOO -> false;
      case NO_TEMPERATURE,
          NO_LOGPROBS,
          MAX_TOKENS,
          NO_REASONING_EFFORT,
          NO_PROMPT_CACHE_KEY,
          NO_SERVICE_TIER ->
          this.text.matcher(text).find();
    };
  }

  /** Whether the request contains the part that this adjustment changes. */
  private boolean applies(ModelRequest request, ModelCard card, Set<Adjustment> made) {
    return !made.contains(this)
        && switch (this) {
          case NO_TEMPERATURE, MERGED_SYSTEM -> true;
          case NO_LOGPROBS -> request.options().logprobs();
          case MAX_TOKENS -> ChatRequests.maxOutputTokens(request, card) != null;
          case NO_REASONING_EFFORT -> ChatRequests.reasoningEffort(request, card) != null;
          case NO_PROMPT_CACHE_KEY -> card.promptCacheKey() != null;
          case NO_SERVICE_TIER -> card.served() != null;
          case PLAIN_SCHEMA ->
              request.responseSchema() != null
                  && !made.contains(SCHEMA_AS_TEXT)
                  && !PlainSchemas.isPlain(request.responseSchema().schema());
          case SCHEMA_AS_TEXT -> request.responseSchema() != null;
          case SCHEMA_AS_TEXT_TOO -> false;
        };
  }

  /** Whether the adjustment concerns one schema, not the model. */
  boolean concernsSchema() {
    return this == PLAIN_SCHEMA || this == SCHEMA_AS_TEXT || this == SCHEMA_AS_TEXT_TOO;
  }
}
