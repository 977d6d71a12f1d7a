package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.ImageContent.DetailLevel;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.openai.OpenAiChatRequestParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts a {@link ModelRequest} to a request of langchain4j. */
final class ChatRequests {

  private static final String SCHEMA_AS_TEXT =
      "\n\nThe answer is one JSON object that fits this JSON schema, without Markdown around it:\n";

  private ChatRequests() {}

  /** The request with the settings of the card, adjusted to what the model accepts. */
  static ChatRequest of(ModelRequest request, ModelCard card, Set<Adjustment> adjustments) {
    return ChatRequest.builder()
        .messages(messages(request, adjustments))
        .parameters(parameters(request, card, adjustments))
        .build();
  }

  /** The limit of output tokens that is sent: the lower of request and card; null for none. */
  static @Nullable Integer maxOutputTokens(ModelRequest request, ModelCard card) {
    Integer own = request.options().maxOutputTokens();
    Integer most = card.maxOutputTokens();
    if (own == null || most == null) {
      return own == null ? most : own;
    }
    return Integer.valueOf(Math.min(own, most));
  }

  /** The value of {@code reasoning_effort}: that of the request, else that of the card, or null. */
  static @Nullable String reasoningEffort(ModelRequest request, ModelCard card) {
    String own = request.options().reasoningEffort();
    return own == null ? card.reasoningEffort() : own;
  }

  private static List<ChatMessage> messages(ModelRequest request, Set<Adjustment> adjustments) {
    String system = system(request, adjustments);
    List<dev.langchain4j.data.message.Content> content = content(request.content());
    if (!adjustments.contains(Adjustment.MERGED_SYSTEM)) {
      return List.of(SystemMessage.from(system), UserMessage.from(content));
    }
    List<dev.langchain4j.data.message.Content> merged = new ArrayList<>();
    merged.add(TextContent.from(system));
    merged.addAll(content);
    return List.of(UserMessage.from(merged));
  }

  /**
   * The system message. If the endpoint does not apply the whole response schema, it ends with the
   * schema as text; it is still the same for all documents.
   */
  private static String system(ModelRequest request, Set<Adjustment> adjustments) {
    ResponseSchema schema = request.responseSchema();
    boolean asText =
        adjustments.contains(Adjustment.PLAIN_SCHEMA)
            || adjustments.contains(Adjustment.SCHEMA_AS_TEXT)
            || adjustments.contains(Adjustment.SCHEMA_AS_TEXT_TOO);
    return schema == null || !asText
        ? request.system()
        : request.system() + SCHEMA_AS_TEXT + schema.text();
  }

  private static OpenAiChatRequestParameters parameters(
      ModelRequest request, ModelCard card, Set<Adjustment> adjustments) {
    OpenAiChatRequestParameters.Builder parameters = OpenAiChatRequestParameters.builder();
    parameters.modelName(card.nameAtEndpoint());
    if (!adjustments.contains(Adjustment.NO_TEMPERATURE)) {
      parameters.temperature(request.options().temperature());
    }
    if (request.options().logprobs() && !adjustments.contains(Adjustment.NO_LOGPROBS)) {
      parameters.logprobs(true);
    }
    Integer maxOutputTokens = maxOutputTokens(request, card);
    if (maxOutputTokens != null) {
      if (adjustments.contains(Adjustment.MAX_TOKENS)) {
        parameters.maxOutputTokens(maxOutputTokens);
      } else {
        parameters.maxCompletionTokens(maxOutputTokens);
      }
    }
    String effort = reasoningEffort(request, card);
    if (effort != null && !adjustments.contains(Adjustment.NO_REASONING_EFFORT)) {
      parameters.reasoningEffort(effort);
    }
    String cacheKey = card.promptCacheKey();
    if (cacheKey != null && !adjustments.contains(Adjustment.NO_PROMPT_CACHE_KEY)) {
      parameters.customParameters(Map.of("prompt_cache_key", cacheKey));
    }
    ModelCard.Served served = card.served();
    if (served != null && !adjustments.contains(Adjustment.NO_SERVICE_TIER)) {
      parameters.serviceTier(served.tier().text());
    }
    ResponseSchema schema = request.responseSchema();
    if (schema != null && !adjustments.contains(Adjustment.SCHEMA_AS_TEXT)) {
      parameters.responseFormat(format(schema, adjustments.contains(Adjustment.PLAIN_SCHEMA)));
    }
    return parameters.build();
  }

  private static ResponseFormat format(ResponseSchema schema, boolean plain) {
    String root = plain ? PlainSchemas.of(schema.schema()).toString() : schema.text();
    return ResponseFormat.builder()
        .type(ResponseFormatType.JSON)
        .jsonSchema(
            JsonSchema.builder().name(schema.name()).rootElement(JsonRawSchema.from(root)).build())
        .build();
  }

  private static List<dev.langchain4j.data.message.Content> content(List<Content> parts) {
    return parts.stream().map(ChatRequests::part).toList();
  }

  /** Images have the detail level HIGH, because langchain4j's default is the lowest level. */
  private static dev.langchain4j.data.message.Content part(Content part) {
    return switch (part) {
      case Content.Text(String text) -> TextContent.from(text);
      case Content.Attachment(Media.Reference(String uri, _)) ->
          ImageContent.from(uri, DetailLevel.HIGH);
      case Content.Attachment(Media.Content file) ->
          file.kind() == Media.Kind.AUDIO
              ? AudioContent.from(file.base64(), file.mediaType())
              : ImageContent.from(file.base64(), file.mediaType(), DetailLevel.HIGH);
    };
  }
}
