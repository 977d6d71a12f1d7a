package dev.abacus.topology.model;

import dev.abacus.topology.model.Dialect.Omission;
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
import java.util.List;

/** Says a {@link ModelRequest} in langchain4j's words. */
final class ChatRequests {

  private static final String IN_WORDS =
      "\n\nThe answer is one JSON object that fits this JSON schema, without Markdown around it:\n";

  private ChatRequests() {}

  static ChatRequest of(ModelRequest request, String nameAtEndpoint, Dialect dialect) {
    return ChatRequest.builder()
        .messages(
            SystemMessage.from(system(request, dialect)),
            UserMessage.from(content(request.content())))
        .parameters(parameters(request, nameAtEndpoint, dialect))
        .build();
  }

  /** Where the endpoint takes no schema, the model is told it; still the same for all documents. */
  private static String system(ModelRequest request, Dialect dialect) {
    ResponseSchema schema = request.responseSchema();
    return schema == null || !dialect.omits(Omission.RESPONSE_SCHEMA)
        ? request.system()
        : request.system() + IN_WORDS + schema.schema();
  }

  private static OpenAiChatRequestParameters parameters(
      ModelRequest request, String nameAtEndpoint, Dialect dialect) {
    OpenAiChatRequestParameters.Builder parameters = OpenAiChatRequestParameters.builder();
    parameters.modelName(nameAtEndpoint);
    if (!dialect.omits(Omission.TEMPERATURE)) {
      parameters.temperature(request.temperature());
    }
    if (request.logprobs() && !dialect.omits(Omission.LOGPROBS)) {
      parameters.logprobs(true);
    }
    if (request.maxOutputTokens() != null) {
      if (dialect.omits(Omission.MAX_COMPLETION_TOKENS)) {
        parameters.maxOutputTokens(request.maxOutputTokens());
      } else {
        parameters.maxCompletionTokens(request.maxOutputTokens());
      }
    }
    ResponseSchema schema = request.responseSchema();
    if (schema != null && !dialect.omits(Omission.RESPONSE_SCHEMA)) {
      parameters.responseFormat(format(schema));
    }
    return parameters.build();
  }

  private static ResponseFormat format(ResponseSchema schema) {
    return ResponseFormat.builder()
        .type(ResponseFormatType.JSON)
        .jsonSchema(
            JsonSchema.builder()
                .name(schema.name())
                .rootElement(JsonRawSchema.from(schema.schema().toString()))
                .build())
        .build();
  }

  private static List<dev.langchain4j.data.message.Content> content(List<Content> parts) {
    return parts.stream().map(ChatRequests::part).toList();
  }

  /** Images with the detail said: langchain4j's default is the lowest. */
  private static dev.langchain4j.data.message.Content part(Content part) {
    return switch (part) {
      case Content.Text(String text) -> TextContent.from(text);
      case Content.ImageReference(String uri) -> ImageContent.from(uri, DetailLevel.HIGH);
      case Content.ImageBytes(String mediaType, String base64) ->
          ImageContent.from(base64, mediaType, DetailLevel.HIGH);
    };
  }
}
