package dev.abacus.deploy.simulator.wire;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import dev.abacus.deploy.simulator.tokens.Tokenizer;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request for chat completions.
 *
 * @param images number of images in the messages
 * @param soundTokens tokens of the sounds in the messages
 * @param temperature in [0, 2]; the default is 1
 * @param responseFormat as sent, or null
 * @param logprobs whether the response has log probabilities
 * @param topLogprobs number of alternatives per token, in [0, 20]
 * @param maxTokens longest answer in tokens
 * @param choices number of answers
 * @param effort reasoning effort; the default is {@code medium}
 */
@RecordBuilder
public record ChatRequest(
    String model,
    List<Message> messages,
    int images,
    int soundTokens,
    double temperature,
    @Nullable JsonNode responseFormat,
    boolean logprobs,
    int topLogprobs,
    int maxTokens,
    int choices,
    String effort) {

  private static final int MOST_CHOICES = 128;
  private static final Pattern SOUND = Pattern.compile("\\(sound \\d+\\)");

  public ChatRequest {
    messages = List.copyOf(messages);
  }

  /** One message of the conversation. */
  public record Message(String role, String text) {}

  /**
   * Reads a request.
   *
   * @throws ApiException if the request is invalid under OpenAI's API
   */
  public static ChatRequest of(JsonNode json) {
    if (!json.path("model").isTextual()) {
      throw ApiException.invalid("you must provide a model parameter", null, null);
    }
    JsonNode list = json.path("messages");
    if (list.isMissingNode() || list.isNull()) {
      throw ApiException.missing("messages");
    }
    if (!list.isArray()) {
      throw ApiException.invalid(
          "Invalid type for 'messages': expected an array of objects.", "messages", "invalid_type");
    }
    if (list.isEmpty()) {
      throw ApiException.invalid(
          "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an"
              + " empty array instead.",
          "messages",
          "empty_array");
    }
    if (json.path("stream").asBoolean()) {
      throw ApiException.invalid(
          "The simulated endpoint does not stream.", "stream", "unsupported_value");
    }
    List<Message> messages = new ArrayList<>();
    int images = 0;
    int soundTokens = 0;
    for (JsonNode message : list) {
      messages.add(message(message, messages.size()));
      for (JsonNode part : message.path("content")) {
        SoundPart sound = SoundPart.of(part);
        soundTokens += sound == null ? 0 : sound.tokens();
      }
      images += message.path("content").findValues("image_url").size();
    }
    JsonNode limit =
        json.path("max_completion_tokens").isNumber()
            ? json.path("max_completion_tokens")
            : json.path("max_tokens");
    JsonNode format = json.path("response_format");
    return new ChatRequest(
        json.path("model").asText(),
        messages,
        images,
        soundTokens,
        number(json, "temperature", 1, 0, 2),
        format.isObject() ? format : null,
        json.path("logprobs").asBoolean(),
        (int) number(json, "top_logprobs", 0, 0, 20),
        limit.asInt(Integer.MAX_VALUE),
        (int) number(json, "n", 1, 1, MOST_CHOICES),
        json.path("reasoning_effort").asText("medium"));
  }

  private static Message message(JsonNode message, int index) {
    String role = message.path("role").asText();
    if (!List.of("system", "developer", "user", "assistant", "tool", "function").contains(role)) {
      throw ApiException.invalid(
          "Invalid value: '" + role + "' for 'messages[" + index + "].role'.",
          "messages[" + index + "].role",
          "invalid_value");
    }
    JsonNode content = message.path("content");
    if (content.isTextual()) {
      return new Message(role, content.textValue());
    }
    if (!content.isArray()) {
      if (role.equals("assistant")) {
        return new Message(role, "");
      }
      throw ApiException.invalid(
          "Invalid type for 'messages[" + index + "].content'.",
          "messages[" + index + "].content",
          "invalid_type");
    }
    String text = "";
    for (JsonNode part : content) {
      SoundPart sound = SoundPart.of(part);
      // The text refers to sounds in their order, so each stands where its document has it.
      text =
          sound == null
              ? text + (text.isEmpty() ? "" : "\n") + text(part)
              : SOUND.matcher(text).replaceFirst(sound.mark());
    }
    return new Message(role, text);
  }

  /** An image is represented by its address, or by a hash of its bytes if it is inline. */
  private static String text(JsonNode part) {
    JsonNode image = part.path("image_url");
    if (image.isMissingNode()) {
      return part.path("text").asText();
    }
    String url = image.isTextual() ? image.textValue() : image.path("url").asText();
    return url.startsWith("data:")
        ? "[image " + Long.toHexString(KeyedRandom.hash(url)) + "]"
        : "[image " + url + "]";
  }

  private static double number(JsonNode json, String key, double usual, double low, double high) {
    JsonNode value = json.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return usual;
    }
    if (!value.isNumber() || value.doubleValue() < low || value.doubleValue() > high) {
      throw ApiException.invalid(
          "Invalid '%s': expected a number from %s to %s.".formatted(key, low, high),
          key,
          "invalid_value");
    }
    return value.doubleValue();
  }

  /** The texts of the messages with the given roles, one per line. */
  public String text(List<String> roles) {
    StringBuilder text = new StringBuilder();
    for (Message message : messages) {
      if (roles.contains(message.role())) {
        text.append(text.isEmpty() ? "" : "\n").append(message.text());
      }
    }
    return text.toString();
  }

  /**
   * This request with the last message cut to the end of its text, so that all messages together
   * have at most a number of tokens. Ollama cuts prompts that exceed its context without an error.
   */
  public ChatRequest cut(int tokens, Tokenizer tokenizer) {
    List<Message> shorter = new ArrayList<>(messages);
    Message last = shorter.removeLast();
    int others = shorter.stream().mapToInt(message -> tokenizer.count(message.text())).sum();
    // Cutting by characters is near enough; a token has a few of them.
    int own = Math.max(1, tokenizer.count(last.text()));
    double share = Math.clamp((tokens - others) / (double) own, 0, 1);
    int from = (int) (last.text().length() * (1 - share));
    shorter.add(new Message(last.role(), last.text().substring(from)));
    return ChatRequestBuilder.builder(this).messages(shorter).build();
  }

  /** Whether the conversation contains an answer. */
  public boolean answeredBefore() {
    return messages.stream().anyMatch(message -> message.role().equals("assistant"));
  }
}
