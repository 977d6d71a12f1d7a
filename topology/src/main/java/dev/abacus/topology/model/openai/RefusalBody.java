package dev.abacus.topology.model.openai;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of a refusal. Endpoints use these forms:
 *
 * <ul>
 *   <li>OpenAI, Azure, LiteLLM, llama.cpp, newer vLLM: {@code {"error": {"message", "type",
 *       "param", "code"}}}; Azure adds {@code innererror}; LiteLLM quotes the error of its provider
 *       in the message
 *   <li>older vLLM and SGLang: {@code {"object": "error", "message", "type", "param", "code": 400}}
 *   <li>Ollama: {@code {"error": "text"}}
 *   <li>FastAPI: {@code {"detail": "text"}} or {@code {"detail": [{"loc", "msg"}]}}
 * </ul>
 *
 * @param message for people; the whole body if it has another form
 * @param type such as {@code invalid_request_error}; empty if not stated
 * @param parameter the part of the request that is refused; empty if not stated
 * @param code such as {@code context_length_exceeded}; empty if not stated or a number
 * @param tokens charged for the refused call; none if not stated
 */
record RefusalBody(String message, String type, String parameter, String code, TokenCounts tokens) {

  /** More than any call uses; sums of such numbers do not overflow. */
  private static final long MAX_TOKENS = 1L << 50;

  /** Shares its buffers: the default keeps them per thread, and each call has a new thread. */
  static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                  .build())
          .build();

  private static final int MAX_MESSAGE_CHARACTERS = 1000;

  /** The members of an error that LiteLLM quotes, in Python's or JSON's form. */
  private static final Pattern QUOTED =
      Pattern.compile("\\\\?['\"](param|code)\\\\?['\"]: ?\\\\?['\"]([\\w.\\[\\]]+)\\\\?['\"]");

  static RefusalBody parse(@Nullable String body) {
    JsonNode tree = tree(body);
    JsonNode error = tree.path("error").isObject() ? tree.path("error") : tree;
    String message = message(tree, error);
    String parameter = text(error.path("param"));
    String code = text(error.path("code"));
    Matcher quoted = QUOTED.matcher(message);
    while (quoted.find()) {
      if (quoted.group(1).equals("param") && parameter.isEmpty()) {
        parameter = quoted.group(2);
      } else if (quoted.group(1).equals("code") && code.isEmpty()) {
        code = quoted.group(2);
      }
    }
    if (code.isEmpty()) {
      code = text(error.at("/innererror/code"));
    }
    return new RefusalBody(
        shortened(message.isBlank() ? String.valueOf(body) : message),
        text(error.path("type")),
        parameter.isEmpty() ? location(tree.at("/detail/0/loc")) : parameter,
        code,
        tokens(tree));
  }

  /** Whether the body is an error of OpenAI's form, which some gateways send with status 200. */
  static boolean isError(JsonNode tree) {
    return tree.path("error").isObject() && !tree.has("choices") && !tree.has("data");
  }

  /** The status that an error states as its code; 500 if it states none. */
  static int status(JsonNode tree) {
    int code = tree.at("/error/code").asInt();
    return code >= 400 && code <= 599 ? code : 500;
  }

  /** The tokens that a response reports; none if it reports none. */
  static TokenCounts tokens(@Nullable JsonNode tree) {
    if (tree == null) {
      return TokenCounts.NONE;
    }
    JsonNode usage = tree.path("usage").isObject() ? tree.path("usage") : tree.at("/error/usage");
    long input = Math.clamp(usage.path("prompt_tokens").asLong(), 0, MAX_TOKENS);
    long output = Math.clamp(usage.path("completion_tokens").asLong(), 0, MAX_TOKENS);
    return new TokenCounts(
        input,
        Math.clamp(usage.at("/prompt_tokens_details/cached_tokens").asLong(), 0, input),
        output,
        Math.clamp(usage.at("/completion_tokens_details/reasoning_tokens").asLong(), 0, output),
        0);
  }

  /** The tokens of sounds in the prompt that a response reports; 0 if it reports none. */
  static long soundTokens(@Nullable JsonNode tree) {
    return tree == null
        ? 0
        : Math.clamp(tree.at("/usage/prompt_tokens_details/audio_tokens").asLong(), 0, MAX_TOKENS);
  }

  /** The message, and the parameter that it is about. */
  String text() {
    return parameter.isBlank() || message.contains(parameter)
        ? message
        : message + " (parameter " + parameter + ")";
  }

  /** A text as JSON; a {@link MissingNode} if it is something else. */
  static JsonNode tree(@Nullable String body) {
    try {
      JsonNode tree = body == null ? null : JSON.readTree(body);
      return tree == null ? MissingNode.getInstance() : tree;
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }

  private static String message(JsonNode tree, JsonNode error) {
    String message = error.path("message").asText("");
    if (!message.isBlank()) {
      return message;
    }
    return tree.path("error").isTextual()
        ? tree.path("error").textValue()
        : tree.path("detail").isTextual()
            ? tree.path("detail").textValue()
            : tree.at("/detail/0/msg").asText("");
  }

  /** A text that is not a number: LiteLLM and vLLM repeat the status as the code. */
  private static String text(JsonNode node) {
    String text = node.isTextual() ? node.textValue() : "";
    return text.matches("\\d+") ? "" : text;
  }

  /** {@code temperature} for {@code ["body", "temperature"]}. */
  private static String location(JsonNode loc) {
    return loc.size() > 1 && loc.path(0).asText().equals("body") ? loc.path(1).asText() : "";
  }

  private static String shortened(String text) {
    return text.length() <= MAX_MESSAGE_CHARACTERS
        ? text
        : text.substring(0, MAX_MESSAGE_CHARACTERS) + "…";
  }
}
