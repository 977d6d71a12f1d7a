package dev.abacus.deploy.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of requests and responses in OpenAI's published description of chat completions and
 * embeddings.
 *
 * <p>A line states a field: its path, whether it must be present ({@code !}), its types, and its
 * allowed values or range. {@code []} stands for the items of an array. A field that no line states
 * is not allowed, except below a field of type {@code any}.
 */
final class OpenAiFields {

  private static final ObjectMapper JSON = new ObjectMapper();

  static final OpenAiFields CHAT_REQUEST =
      new OpenAiFields(
          """
          messages! array
          messages[] object
          messages[].role! string = developer system user assistant tool function
          messages[].content string array null
          messages[].content[] object
          messages[].content[].type! string = text image_url input_audio file refusal
          messages[].content[].text string
          messages[].content[].image_url object
          messages[].content[].image_url.url! string
          messages[].content[].image_url.detail string = auto low high
          messages[].content[].input_audio object
          messages[].content[].input_audio.data! string
          messages[].content[].input_audio.format! string = wav mp3
          messages[].name string
          messages[].refusal string null
          messages[].tool_calls any
          messages[].tool_call_id string
          model! string
          frequency_penalty number null = -2 .. 2
          logit_bias object null
          logprobs boolean null
          top_logprobs integer null = 0 .. 20
          max_completion_tokens integer null
          max_tokens integer null
          metadata any
          modalities array null
          n integer null = 1 .. 128
          parallel_tool_calls boolean
          prediction any
          presence_penalty number null = -2 .. 2
          prompt_cache_key string
          reasoning_effort string null = none minimal low medium high xhigh
          response_format object
          response_format.type! string = text json_schema json_object
          response_format.json_schema object
          response_format.json_schema.name! string
          response_format.json_schema.description string
          response_format.json_schema.schema any
          response_format.json_schema.strict boolean null
          safety_identifier string
          seed integer null
          service_tier string null = auto default flex scale priority
          stop string array null
          stop[] string
          store boolean null
          stream boolean null
          stream_options any
          temperature number null = 0 .. 2
          tool_choice any
          tools array
          tools[] any
          top_p number null = 0 .. 1
          user string
          verbosity string null = low medium high
          """);

  static final OpenAiFields CHAT_RESPONSE =
      new OpenAiFields(
          """
          id! string
          object! string = chat.completion
          created! integer
          model! string
          choices! array
          choices[] object
          choices[].index! integer
          choices[].finish_reason! string = stop length tool_calls content_filter function_call
          choices[].message! object
          choices[].message.role! string = assistant
          choices[].message.content! string null
          choices[].message.refusal! string null
          choices[].message.annotations array
          choices[].message.tool_calls any
          choices[].logprobs! object null
          choices[].logprobs.content! array null
          choices[].logprobs.content[] object
          choices[].logprobs.content[].token! string
          choices[].logprobs.content[].logprob! number
          choices[].logprobs.content[].bytes! array null
          choices[].logprobs.content[].bytes[] integer
          choices[].logprobs.content[].top_logprobs! array
          choices[].logprobs.content[].top_logprobs[] object
          choices[].logprobs.content[].top_logprobs[].token! string
          choices[].logprobs.content[].top_logprobs[].logprob! number
          choices[].logprobs.content[].top_logprobs[].bytes! array null
          choices[].logprobs.content[].top_logprobs[].bytes[] integer
          choices[].logprobs.refusal! array null
          choices[].content_filter_results any
          prompt_filter_results any
          service_tier string null = auto default flex scale priority
          system_fingerprint string
          usage object
          usage.prompt_tokens! integer
          usage.completion_tokens! integer
          usage.total_tokens! integer
          usage.prompt_tokens_details object null
          usage.prompt_tokens_details.cached_tokens integer
          usage.prompt_tokens_details.audio_tokens integer
          usage.completion_tokens_details object
          usage.completion_tokens_details.reasoning_tokens integer
          usage.completion_tokens_details.audio_tokens integer
          usage.completion_tokens_details.accepted_prediction_tokens integer
          usage.completion_tokens_details.rejected_prediction_tokens integer
          """);

  static final OpenAiFields EMBEDDING_REQUEST =
      new OpenAiFields(
          """
          input! string array
          input[] string integer array
          input[][] integer
          model! string
          dimensions integer
          encoding_format string = float base64
          user string
          """);

  static final OpenAiFields EMBEDDING_RESPONSE =
      new OpenAiFields(
          """
          object! string = list
          data! array
          data[] object
          data[].object! string = embedding
          data[].index! integer
          data[].embedding! array string
          data[].embedding[] number
          model! string
          usage! object
          usage.prompt_tokens! integer
          usage.total_tokens! integer
          """);

  /**
   * A field.
   *
   * @param required whether its parent must have it
   * @param types names of JSON types
   * @param values allowed values, or {@code low .. high}; empty for any
   */
  private record Field(boolean required, List<String> types, List<String> values) {

    boolean admits(JsonNode value) {
      if (types.contains("any")) {
        return true;
      }
      if (types.stream().noneMatch(type -> is(value, type))) {
        return false;
      }
      if (values.isEmpty() || value.isNull()) {
        return true;
      }
      return values.contains("..")
          ? value.doubleValue() >= Double.parseDouble(values.getFirst())
              && value.doubleValue() <= Double.parseDouble(values.getLast())
          : values.contains(value.asText());
    }

    private static boolean is(JsonNode value, String type) {
      return switch (type) {
        case "string" -> value.isTextual();
        case "integer" -> value.isIntegralNumber();
        case "number" -> value.isNumber();
        case "boolean" -> value.isBoolean();
        case "array" -> value.isArray();
        case "object" -> value.isObject();
        case "null" -> value.isNull();
        default -> throw new IllegalArgumentException(type);
      };
    }
  }

  private final Map<String, Field> fields = new LinkedHashMap<>();

  private OpenAiFields(String table) {
    table
        .lines()
        .forEach(line -> {
          String[] sides = line.split(" = ", -1);
          String[] words = sides[0].split(" ", -1);
          fields.put(
              words[0].replace("!", ""),
              new Field(
                  words[0].endsWith("!"),
                  List.of(words).subList(1, words.length),
                  sides.length == 1 ? List.of() : List.of(sides[1].split(" ", -1))));
        });
  }

  static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What in the JSON contradicts the table. */
  List<String> violations(JsonNode json) {
    List<String> violations = new ArrayList<>();
    object("", json, violations);
    return violations;
  }

  private void object(String path, JsonNode object, List<String> violations) {
    String prefix = path.isEmpty() ? "" : path + ".";
    object
        .properties()
        .forEach(entry -> value(prefix + entry.getKey(), entry.getValue(), violations));
    fields.forEach((name, field) -> {
      boolean child =
          name.startsWith(prefix)
              && name.indexOf('.', prefix.length()) < 0
              && name.indexOf('[', prefix.length()) < 0;
      if (child && field.required() && !object.has(name.substring(prefix.length()))) {
        violations.add(name + " is missing");
      }
    });
  }

  private void value(String path, JsonNode value, List<String> violations) {
    Field field = fields.get(path);
    if (field == null) {
      violations.add(path + " is not a field");
    } else if (!field.admits(value)) {
      violations.add(path + " must not be " + value);
    } else if (!field.types().contains("any")) {
      if (value.isObject() && hasChildren(path)) {
        object(path, value, violations);
      }
      for (int i = 0; value.isArray() && fields.containsKey(path + "[]") && i < value.size(); i++) {
        value(path + "[]", value.get(i), violations);
      }
    }
  }

  private boolean hasChildren(String path) {
    return fields.keySet().stream().anyMatch(name -> name.startsWith(path + "."));
  }
}
