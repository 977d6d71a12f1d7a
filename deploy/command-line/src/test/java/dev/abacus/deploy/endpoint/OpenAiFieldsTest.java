package dev.abacus.deploy.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.provider.Provider;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The answers of the simulated endpoint have the fields of OpenAI's published description. */
class OpenAiFieldsTest {

  private static JsonNode post(SimulatedEndpoint endpoint, String path, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(endpoint.baseUri() + path))
            .header("Authorization", "Bearer sk-test")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      return OpenAiFields.parse(response.body());
    }
  }

  @ParameterizedTest
  @EnumSource
  void completionsHaveTheFieldsOfOpenAi(Provider provider) throws Exception {
    String model = provider.servesOpenAiModels() ? "gpt-4o" : "llama-3.1-8b";
    String request =
        """
        {"model": "%s", "temperature": 0, "logprobs": true, "top_logprobs": 2, "n": 2,
         "messages": [{"role": "user", "content": "hello"}],
         "response_format": {"type": "json_schema", "json_schema": {"name": "out", "strict": true,
           "schema": {"type": "object", "properties": {"a": {"type": "string"}},
                      "required": ["a"], "additionalProperties": false}}}}
        """
            .formatted(model);
    try (SimulatedEndpoint endpoint =
        SimulatedEndpoint.start(
            SimulatorOptions.DEFAULTS.withSpeed(Double.POSITIVE_INFINITY).like(provider))) {
      JsonNode response = post(endpoint, "/chat/completions", request);

      assertThat(OpenAiFields.CHAT_REQUEST.violations(OpenAiFields.parse(request))).isEmpty();
      assertThat(OpenAiFields.CHAT_RESPONSE.violations(response)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PATIENT", "OPENAI", "AZURE"})
  void embeddingsHaveTheFieldsOfOpenAi(Provider provider) throws Exception {
    try (SimulatedEndpoint endpoint =
        SimulatedEndpoint.start(
            SimulatorOptions.DEFAULTS.withSpeed(Double.POSITIVE_INFINITY).like(provider))) {
      for (String format : new String[] {"float", "base64"}) {
        String request =
            "{\"model\":\"text-embedding-3-small\",\"input\":[\"a\",\"b\"],\"dimensions\":4,"
                + "\"encoding_format\":\""
                + format
                + "\"}";
        JsonNode response = post(endpoint, "/embeddings", request);

        assertThat(OpenAiFields.EMBEDDING_REQUEST.violations(OpenAiFields.parse(request)))
            .isEmpty();
        assertThat(OpenAiFields.EMBEDDING_RESPONSE.violations(response)).isEmpty();
      }
    }
  }

  @Test
  void theTableFindsUnknownMissingAndWrongFields() {
    assertThat(
            OpenAiFields.CHAT_REQUEST.violations(
                OpenAiFields.parse(
                    """
                    {"messages": [{"role": "robot", "content": "x"}], "temperature": 3,
                     "top_k": 1, "n": "1", "response_format": {}}
                    """)))
        .containsExactlyInAnyOrder(
            "model is missing",
            "messages[].role must not be \"robot\"",
            "temperature must not be 3",
            "top_k is not a field",
            "n must not be \"1\"",
            "response_format.type is missing");
  }
}
