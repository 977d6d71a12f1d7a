package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.provider.Provider;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each provider refuses what it refuses, in its form. */
class ProvidersTest {

  private static final String CHAT = "/chat/completions";

  private static SimulatorOptions like(Provider provider) {
    return SimulatorOptions.DEFAULTS.withSpeed(Double.POSITIVE_INFINITY).like(provider);
  }

  private static ObjectNode request(String model) {
    return (ObjectNode)
        RequestBuilder.parse(
            "{\"model\":\"%s\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}"
                .formatted(model));
  }

  private static HttpResponse<String> post(SimulatorOptions options, ObjectNode request)
      throws IOException {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options);
        Client client = new Client(endpoint)) {
      return client.post(CHAT, request.toString(), "Authorization", "Bearer sk-test");
    }
  }

  private static HttpResponse<String> post(
      Provider provider, String model, Consumer<ObjectNode> change) throws IOException {
    ObjectNode request = request(model);
    change.accept(request);
    return post(like(provider), request);
  }

  private static JsonNode error(HttpResponse<String> response) {
    return RequestBuilder.parse(response.body()).path("error");
  }

  @ParameterizedTest
  @CsvSource({
    "OPENAI, /error/code, model_not_found",
    "AZURE, /error/code, DeploymentNotFound",
    "VLLM, /error/type, NotFoundError",
    "OLLAMA, /error/type, api_error"
  })
  void anUnknownModelIsNotFound(Provider provider, String pointer, String value)
      throws IOException {
    HttpResponse<String> response = post(provider, "gpt-9", _ -> {});

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(RequestBuilder.parse(response.body()).at(pointer).asText()).isEqualTo(value);
  }

  @ParameterizedTest
  @EnumSource(names = {"OPENAI", "AZURE", "VLLM"})
  void aWrongKeyIsRefusedInTheFormOfTheProvider(Provider provider) throws IOException {
    HttpResponse<String> response = post(like(provider).withApiKey("sk-right"), request("gpt-4o"));

    assertThat(response.statusCode()).isEqualTo(401);
    JsonNode body = RequestBuilder.parse(response.body());
    switch (provider) {
      case OPENAI -> assertThat(body.at("/error/code").asText()).isEqualTo("invalid_api_key");
      case AZURE -> assertThat(body.at("/error/code").asText()).isEqualTo("401");
      case VLLM -> assertThat(body.path("error").asText()).isEqualTo("Unauthorized");
      case PATIENT, OLLAMA -> throw new AssertionError(provider);
    }
  }

  @Test
  void aKeyIsRequiredWhereTheProviderHasAccounts() throws IOException {
    for (Provider provider : Provider.values()) {
      String model = provider.servesOpenAiModels() ? "gpt-4o" : "llama-3.1-8b";
      try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(like(provider));
          Client client = new Client(endpoint)) {
        assertThat(client.post(CHAT, request(model).toString()).statusCode())
            .as(provider.toString())
            .isEqualTo(provider.requiresKey() ? 401 : 200);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "temperature, 0, 400, temperature, unsupported_value",
    "temperature, 1, 200, '', ''",
    "top_p, 0.5, 400, top_p, unsupported_value",
    "max_tokens, 10, 400, max_tokens, unsupported_parameter",
    "max_completion_tokens, 1000, 200, '', ''",
    "logprobs, true, 403, '', ''",
    "stop, '\"x\"', 400, stop, unsupported_parameter",
    "reasoning_effort, '\"minimal\"', 400, reasoning_effort, unsupported_value",
    "reasoning_effort, '\"low\"', 200, '', ''"
  })
  void aReasoningModelRefusesParameters(
      String name, String value, int status, String parameter, String code) throws IOException {
    HttpResponse<String> response =
        post(Provider.OPENAI, "o4-mini", json -> json.set(name, RequestBuilder.parse(value)));

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(error(response).path("param").asText("").replace("null", "")).isEqualTo(parameter);
    assertThat(error(response).path("code").asText("").replace("null", "")).isEqualTo(code);
  }

  @Test
  void otherModelsAcceptThem() throws IOException {
    assertThat(
            post(
                    Provider.OPENAI,
                    "gpt-4o",
                    json -> json.put("temperature", 0).put("max_tokens", 10).put("logprobs", true))
                .statusCode())
        .isEqualTo(200);
    HttpResponse<String> effort =
        post(Provider.OPENAI, "gpt-4o", json -> json.put("reasoning_effort", "low"));
    assertThat(error(effort).path("message").asText())
        .isEqualTo("Unrecognized request argument supplied: reasoning_effort");
    assertThat(post(Provider.OPENAI, "gpt-4o", json -> json.put("top_k", 1)).statusCode())
        .isEqualTo(400);
    assertThat(post(Provider.VLLM, "llama-3.1-8b", json -> json.put("top_k", 1)).statusCode())
        .isEqualTo(200);
  }

  private static HttpResponse<String> schema(Provider provider, String model, String schema)
      throws IOException {
    return post(
        provider,
        model,
        json ->
            json.putObject("response_format")
                .put("type", "json_schema")
                .putObject("json_schema")
                .put("name", "out")
                .put("strict", true)
                .set("schema", RequestBuilder.parse(schema)));
  }

  private static String object(String properties, String required) {
    return "{\"type\":\"object\",\"properties\":{%s},\"required\":[%s],\"additionalProperties\":false}"
        .formatted(properties, required);
  }

  @Test
  void strictSchemasAreChecked() throws IOException {
    String text = "{\"type\":\"string\"}";
    assertViolation(
        "{\"type\":\"object\",\"properties\":{}}",
        "In context=(), 'additionalProperties' is required to be supplied and to be false.");
    assertViolation(
        object("\"a\":" + text + ",\"b\":" + text, "\"a\""),
        "'required' is required to be supplied and to be an array including every key in"
            + " properties. Missing 'b'.");
    assertViolation(
        object("\"a\":{\"type\":\"string\",\"maxLength\":3}", "\"a\""),
        "In context=('properties', 'a'), 'maxLength' is not permitted.");
    assertViolation(object("\"a\":{}", "\"a\""), "schema must have a 'type' key.");
    assertViolation("{\"type\":\"array\",\"items\":" + text + "}", "got 'type: \"array\"'.");
    assertViolation(nested(11), "11 levels of nesting exceeds limit of 10.");
    assertThat(schema(Provider.OPENAI, "gpt-4o", nested(10)).statusCode()).isEqualTo(200);
    assertThat(schema(Provider.AZURE, "gpt-4o", nested(6)).statusCode()).isEqualTo(400);
    assertThat(schema(Provider.AZURE, "gpt-4o", nested(5)).statusCode()).isEqualTo(200);
    String range = object("\"a\":{\"type\":\"integer\",\"minimum\":0}", "\"a\"");
    assertThat(schema(Provider.OPENAI, "gpt-4o", range).statusCode()).isEqualTo(200);
    assertThat(schema(Provider.AZURE, "gpt-4o", range).statusCode()).isEqualTo(400);
  }

  private static void assertViolation(String schema, String message) throws IOException {
    HttpResponse<String> response = schema(Provider.OPENAI, "gpt-4o", schema);
    assertThat(response.statusCode()).as(schema).isEqualTo(400);
    assertThat(error(response).path("message").asText())
        .startsWith("Invalid schema for response_format 'out': ")
        .endsWith(message);
    assertThat(error(response).path("param").asText()).isEqualTo("response_format");
  }

  private static String nested(int levels) {
    return levels == 1
        ? object("\"a\":{\"type\":\"string\"}", "\"a\"")
        : object("\"a\":" + nested(levels - 1), "\"a\"");
  }

  @Test
  void vllmRefusesWhatItsGrammarCannotCompile() throws IOException {
    String unique = "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"uniqueItems\":true}";
    HttpResponse<String> refused =
        schema(Provider.VLLM, "llama-3.1-8b", object("\"a\":" + unique, "\"a\""));
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(error(refused).path("message").asText()).contains("not supported by xgrammar");
    String field = object("\"contains\":{\"type\":\"string\"}", "\"contains\"");
    assertThat(schema(Provider.VLLM, "llama-3.1-8b", field).statusCode())
        .as("a field with the name of a keyword")
        .isEqualTo(200);
  }

  @Test
  void aChatTemplateMayRefuseTheSystemRole() throws IOException {
    Consumer<ObjectNode> system =
        json ->
            json.withArray("messages").insertObject(0).put("role", "system").put("content", "x");

    assertThat(error(post(Provider.VLLM, "mixtral-8x7b", system)).path("message").asText())
        .startsWith("Conversation roles must alternate");
    assertThat(post(Provider.VLLM, "llama-3.1-8b", system).statusCode()).isEqualTo(200);
  }

  @Test
  void aPromptBeyondTheContextIsRefusedOrCut() throws IOException {
    for (Provider provider : Provider.values()) {
      String model = provider.servesOpenAiModels() ? "gpt-4o" : "llama-3.1-8b";
      ObjectNode request = request(model);
      ((ObjectNode) request.path("messages").get(0)).put("content", "many words ".repeat(500));
      HttpResponse<String> response = post(like(provider).withContextTokens(300), request);
      if (provider.truncatesPrompts()) {
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(RequestBuilder.parse(response.body()).at("/usage/prompt_tokens").asInt())
            .isBetween(200, 320);
      } else {
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).path("message").asText()).contains("maximum context length");
      }
    }
  }

  @Test
  void theContentFilterAnswersLikeTheProvider() throws IOException {
    HttpResponse<String> azure =
        post(like(Provider.AZURE).withFiltered("hello"), request("gpt-4o"));
    assertThat(azure.statusCode()).isEqualTo(400);
    assertThat(error(azure).path("code").asText()).isEqualTo("content_filter");
    assertThat(error(azure).at("/innererror/code").asText())
        .isEqualTo("ResponsibleAIPolicyViolation");
    JsonNode openAi =
        RequestBuilder.parse(
            post(like(Provider.OPENAI).withFiltered("hello"), request("gpt-4o")).body());
    assertThat(openAi.at("/choices/0/message/content").isNull()).isTrue();
    assertThat(openAi.at("/choices/0/message/refusal").asText()).isNotBlank();
  }

  @Test
  void azureServesDeploymentsAndItsOwnKeyHeader() throws IOException {
    try (SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(like(Provider.AZURE).withApiKey("azure-key"));
        Client client = new Client(endpoint)) {
      String path = "/../deployments/gpt-4o" + CHAT;
      String body = request("ignored").toString();

      assertThat(endpoint.baseUri().getPath()).isEqualTo("/openai/v1");
      assertThat(
              client
                  .post(path + "?api-version=2024-10-21", body, "api-key", "azure-key")
                  .statusCode())
          .isEqualTo(200);
      assertThat(client.post(path, body, "api-key", "azure-key").statusCode()).isEqualTo(404);
      assertThat(
              client
                  .post(CHAT, request("gpt-4o").toString(), "Authorization", "Bearer azure-key")
                  .statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void anEmptyListOfMessagesIsRefused() throws IOException {
    HttpResponse<String> response =
        post(Provider.OPENAI, "gpt-4o", json -> json.putArray("messages"));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(error(response).path("code").asText()).isEqualTo("empty_array");
  }
}
