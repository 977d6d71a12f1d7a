package dev.abacus.deploy.simulator.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.skill.ModelProfiles.ModelProfile;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a provider refuses in a request for chat completions, beyond what every OpenAI-compatible
 * server refuses.
 */
public final class RequestRules {

  /** The parameters of OpenAI's chat completions; OpenAI and Azure refuse others. */
  private static final Set<String> PARAMETERS =
      Set.of(
          """
          messages model audio frequency_penalty function_call functions logit_bias logprobs
          max_completion_tokens max_tokens metadata modalities n parallel_tool_calls prediction
          presence_penalty prompt_cache_key prompt_cache_retention reasoning_effort
          response_format safety_identifier seed service_tier stop store stream stream_options
          temperature tool_choice tools top_logprobs top_p user verbosity web_search_options\
          """
              .split("\\s"));

  /** Parameters that reasoning models accept with their default value only. */
  private static final Map<String, Double> FIXED_WHEN_REASONING =
      Map.of(
          "temperature", 1.0,
          "top_p", 1.0,
          "presence_penalty", 0.0,
          "frequency_penalty", 0.0);

  private static final Pattern SCHEMA_NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

  /** Keywords that xgrammar, the default grammar backend of vLLM, does not compile. */
  private static final Set<String> UNSUPPORTED_BY_XGRAMMAR =
      Set.of(
          "multipleOf",
          "uniqueItems",
          "contains",
          "minContains",
          "maxContains",
          "minProperties",
          "maxProperties",
          "propertyNames",
          "patternProperties");

  private RequestRules() {}

  /**
   * Checks a request.
   *
   * @throws ApiException if the provider refuses it
   */
  public static void check(Provider provider, ModelProfile model, JsonNode request) {
    switch (provider) {
      case PATIENT, OLLAMA -> {}
      case OPENAI -> openAi(model, request, StrictSchema.OPENAI);
      case AZURE -> openAi(model, request, StrictSchema.AZURE);
      case VLLM -> vllm(model, request);
    }
  }

  private static void openAi(ModelProfile model, JsonNode request, StrictSchema limits) {
    for (Map.Entry<String, JsonNode> parameter : request.properties()) {
      boolean unknown = !PARAMETERS.contains(parameter.getKey());
      if (unknown || (parameter.getKey().equals("reasoning_effort") && !model.reasoning())) {
        throw ApiException.invalid(
            "Unrecognized request argument supplied: " + parameter.getKey(), null, null);
      }
    }
    if (FlexTier.isAsked(request) && !model.flex()) {
      throw ApiException.invalid(
          "Invalid service_tier argument: this model is not available at the tier flex.",
          "service_tier",
          null);
    }
    if (!request.findValues("input_audio").isEmpty() && !model.name().contains("audio")) {
      throw ApiException.invalid(
          "Invalid content type. input_audio is not supported by this model.",
          "messages",
          "invalid_value");
    }
    if (given(request, "max_tokens") && given(request, "max_completion_tokens")) {
      throw ApiException.invalid(
          "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
          "max_completion_tokens",
          "invalid_parameter_combination");
    }
    if (given(request, "top_logprobs") && !request.path("logprobs").asBoolean()) {
      throw ApiException.invalid(
          "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
          "top_logprobs",
          null);
    }
    if (model.reasoning()) {
      reasoning(model, request);
    }
    schema(request.path("response_format"), limits);
  }

  private static void reasoning(ModelProfile model, JsonNode request) {
    if (given(request, "max_tokens")) {
      throw ApiException.invalid(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
              + " 'max_completion_tokens' instead.",
          "max_tokens",
          "unsupported_parameter");
    }
    if (request.path("logprobs").asBoolean()) {
      throw ApiException.withoutLogprobs();
    }
    if (given(request, "stop") || given(request, "logit_bias")) {
      String name = given(request, "stop") ? "stop" : "logit_bias";
      throw ApiException.invalid(
          "Unsupported parameter: '%s' is not supported with this model.".formatted(name),
          name,
          "unsupported_parameter");
    }
    FIXED_WHEN_REASONING.forEach((name, value) -> {
      if (given(request, name) && request.path(name).asDouble() != value) {
        throw ApiException.invalid(
            "Unsupported value: '%s' does not support %s with this model. Only the default (%.0f) value is supported."
                .formatted(name, request.path(name).asText(), value),
            name,
            "unsupported_value");
      }
    });
    String effort = request.path("reasoning_effort").asText("medium");
    List<String> efforts =
        model.name().startsWith("gpt-5")
            ? List.of("minimal", "low", "medium", "high")
            : List.of("low", "medium", "high");
    if (!efforts.contains(effort)) {
      throw ApiException.invalid(
          "Unsupported value: 'reasoning_effort' does not support '%s' with this model. Supported values are: %s."
              .formatted(effort, efforts),
          "reasoning_effort",
          "unsupported_value");
    }
  }

  private static void schema(JsonNode format, StrictSchema limits) {
    if (!format.path("type").asText().equals("json_schema")) {
      return;
    }
    JsonNode wrapper = format.path("json_schema");
    String name = wrapper.path("name").asText("");
    if (name.isEmpty()) {
      throw ApiException.missing("response_format.json_schema.name");
    }
    if (!SCHEMA_NAME.matcher(name).matches()) {
      throw ApiException.invalid(
          "Invalid 'response_format.json_schema.name': string does not match pattern. Expected a"
              + " string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
          "response_format.json_schema.name",
          "invalid_value");
    }
    if (wrapper.path("strict").asBoolean()) {
      limits.check(name, wrapper.path("schema"));
    }
  }

  private static void vllm(ModelProfile model, JsonNode request) {
    JsonNode schema = request.path("response_format").path("json_schema").path("schema");
    if (beyondXgrammar(schema)) {
      throw ApiException.invalid(
          "The provided JSON schema contains features not supported by xgrammar.", null, null);
    }
    // The chat template of Mixtral-8x7B-Instruct-v0.1 starts with a user message.
    if (model.name().startsWith("mixtral")
        && request.path("messages").path(0).path("role").asText().equals("system")) {
      throw ApiException.invalid(
          "Conversation roles must alternate user/assistant/user/assistant/...", null, null);
    }
  }

  private static boolean beyondXgrammar(JsonNode schema) {
    for (Map.Entry<String, JsonNode> entry : schema.properties()) {
      boolean names = entry.getKey().equals("properties") || entry.getKey().equals("$defs");
      boolean found =
          names
              // The keys here are names of fields and definitions, not keywords.
              ? entry.getValue().properties().stream()
                  .anyMatch(field -> beyondXgrammar(field.getValue()))
              : UNSUPPORTED_BY_XGRAMMAR.contains(entry.getKey())
                  || beyondXgrammar(entry.getValue());
      if (found) {
        return true;
      }
    }
    return false;
  }

  private static boolean given(JsonNode request, String name) {
    return request.has(name) && !request.path(name).isNull();
  }
}
