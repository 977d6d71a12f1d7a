package dev.abacus.topology.model.openai;

import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.model.openai.UnsupportedParameters.Parameter;
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

/** Converts a {@link ModelRequest} to a request of langchain4j. */
final class ChatRequests {

  private static final String SCHEMA_AS_TEXT =
      "\n\nThe answer is one JSON object that fits this JSON schema, without Markdown around it:\n";

  private ChatRequests() {}

  /** The request without the parameters that the endpoint does not support. */
  static ChatRequest of(
      ModelRequest request, String nameAtEndpoint, UnsupportedParameters unsupported) {
    return ChatRequest.builder()
        .messages(
            SystemMessage.from(system(request, unsupported)),
            UserMessage.from(content(request.content())))
        .parameters(parameters(request, nameAtEndpoint, unsupported))
        .build();
  }

  /**
   * The system message. If the endpoint does not support response schemas, it ends with the schema
   * as text; it is still the same for all documents.
   */
  private static String system(ModelRequest request, UnsupportedParameters unsupported) {
    ResponseSchema schema = request.responseSchema();
    return schema == null || !unsupported.contains(Parameter.RESPONSE_SCHEMA)
        ? request.system()
        : request.system() + SCHEMA_AS_TEXT + schema.schema();
  }

  private static OpenAiChatRequestParameters parameters(
      ModelRequest request, String nameAtEndpoint, UnsupportedParameters unsupported) {
    OpenAiChatRequestParameters.Builder parameters = OpenAiChatRequestParameters.builder();
    parameters.modelName(nameAtEndpoint);
    if (!unsupported.contains(Parameter.TEMPERATURE)) {
      parameters.temperature(request.options().temperature());
    }
    if (request.options().logprobs() && !unsupported.contains(Parameter.LOGPROBS)) {
      parameters.logprobs(true);
    }
    Integer maxOutputTokens = request.options().maxOutputTokens();
    if (maxOutputTokens != null) {
      if (unsupported.contains(Parameter.MAX_COMPLETION_TOKENS)) {
        parameters.maxOutputTokens(maxOutputTokens);
      } else {
        parameters.maxCompletionTokens(maxOutputTokens);
      }
    }
    ResponseSchema schema = request.responseSchema();
    if (schema != null && !unsupported.contains(Parameter.RESPONSE_SCHEMA)) {
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

  /** Images have the detail level HIGH, because langchain4j's default is the lowest level. */
  private static dev.langchain4j.data.message.Content part(Content part) {
    return switch (part) {
      case Content.Text(String text) -> TextContent.from(text);
      case Content.ImageReference(String uri) -> ImageContent.from(uri, DetailLevel.HIGH);
      case Content.ImageBytes(String mediaType, String base64) ->
          ImageContent.from(base64, mediaType, DetailLevel.HIGH);
    };
  }
}
