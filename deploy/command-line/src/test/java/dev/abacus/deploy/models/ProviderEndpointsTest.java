package dev.abacus.deploy.models;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.provider.Provider;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCardBuilder;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.model.openai.OpenAiProvider;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The client of models against endpoints that refuse what a provider refuses, in its form. */
class ProviderEndpointsTest {

  private static SimulatorOptions like(Provider provider) {
    return SimulatorOptions.DEFAULTS
        .withSpeed(Double.POSITIVE_INFINITY)
        .like(provider)
        .withApiKey("k");
  }

  private static ModelCardBuilder card(SimulatedEndpoint endpoint, String model) {
    return ModelCard.chat(model)
        .contextTokens(100_000)
        .endpoint(endpoint.baseUri().toString())
        .keyVariable("KEY");
  }

  private static OpenAiProvider provider(String key) {
    return new OpenAiProvider(new Endpoints(null, null, Map.of("KEY", key)::get));
  }

  private static ModelRequest request(String model, String items) throws Exception {
    return ModelRequest.of(
        model,
        "Answer in JSON.",
        List.of(new Content.Text("words")),
        new ResponseSchema(
            "tags",
            JsonMapper.builder()
                .build()
                .readTree(
"""
{"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}%s}},
 "required": ["tags"], "additionalProperties": false}
"""
                        .formatted(items))));
  }

  private static ModelFailure failure(ModelAnswer answer) {
    return Objects.requireNonNull(answer.failure(), () -> "an answer: " + answer);
  }

  @ParameterizedTest
  @EnumSource(
      value = Provider.class,
      names = {"OPENAI", "AZURE"})
  void aReasoningModelIsUsedWithoutTheParametersThatItRefuses(Provider like) throws Exception {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(like(like))) {
      ModelCard card = card(endpoint, "gpt-5-mini").build();
      ModelRequest request =
          request("gpt-5-mini", "").withOptions(new ModelRequest.Options(0, 2000, true));
      ModelAnswer answer = provider("k").chatClient(card).call(request);
      assertThat(answer.failure()).isNull();
      assertThat(answer.attempts()).isEqualTo(3);
    }
  }

  @Test
  void aSchemaThatVllmCannotCompileIsSentAsText() throws Exception {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(like(Provider.VLLM))) {
      ModelCard card = card(endpoint, "llama-3.1-8b").build();
      ModelAnswer answer =
          provider("k").chatClient(card).call(request("llama-3.1-8b", ", \"uniqueItems\": true"));
      assertThat(answer.failure()).isNull();
      assertThat(answer.attempts()).isGreaterThan(1);
    }
  }

  @Test
  void aModelWithoutSystemMessagesGetsOneUserMessage() throws Exception {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(like(Provider.VLLM))) {
      ModelCard card = card(endpoint, "mixtral-8x7b").build();
      ModelAnswer answer = provider("k").chatClient(card).call(request("mixtral-8x7b", ""));
      assertThat(answer.failure()).isNull();
    }
  }

  @Test
  void aDeploymentOfAzureIsReachedByTheRecipe() throws Exception {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(like(Provider.AZURE))) {
      String root = endpoint.baseUri().toString().replaceFirst("/openai/v1/?$", "");
      ModelCard card =
          card(endpoint, "gpt-4o")
              .endpoint(root + "/openai/deployments/gpt-4o")
              .query(Map.of("api-version", "2024-10-21"))
              .keyHeader("api-key")
              .build();
      ModelAnswer answer = provider("k").chatClient(card).call(request("gpt-4o", ""));
      assertThat(answer.failure()).isNull();
      assertThat(answer.tokens().total()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Provider.class,
      names = {"OPENAI", "AZURE", "VLLM", "OLLAMA"})
  void everyProviderSaysThatAModelIsMissing(Provider like) throws Exception {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(like(like))) {
      ModelCard card = card(endpoint, "no-such-model").build();
      ModelAnswer answer = provider("k").chatClient(card).call(request("no-such-model", ""));
      assertThat(failure(answer)).isInstanceOf(ModelFailure.UnknownModel.class);
      assertThat(failure(answer).message()).contains("no-such-model");
      assertThat(provider("k").served(card)).isNotNull().doesNotContain("no-such-model");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Provider.class,
      names = {"OPENAI", "AZURE", "VLLM"})
  void everyProviderSaysThatAKeyIsWrong(Provider like) throws Exception {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(like(like))) {
      ModelCard card = card(endpoint, "gpt-4o").build();
      ModelAnswer answer = provider("other-key").chatClient(card).call(request("gpt-4o", ""));
      assertThat(failure(answer)).isInstanceOf(ModelFailure.AuthenticationFailed.class);
      assertThat(failure(answer).message()).doesNotContain("other-key");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Provider.class,
      names = {"OPENAI", "AZURE"})
  void anEmptyAccountIsNoRateLimit(Provider like) throws Exception {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(like(like).withQuota(0.0))) {
      ModelCard card = card(endpoint, "gpt-4o").build();
      ModelAnswer answer = provider("k").chatClient(card).call(request("gpt-4o", ""));
      assertThat(failure(answer)).isInstanceOf(ModelFailure.QuotaExhausted.class);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Provider.class,
      names = {"OPENAI", "AZURE", "VLLM"})
  void aPromptAboveTheContextIsTooLong(Provider like) throws Exception {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(like(like).withContextTokens(20))) {
      String model = like == Provider.VLLM ? "llama-3.1-8b" : "gpt-4o";
      ModelAnswer answer =
          provider("k")
              .chatClient(card(endpoint, model).build())
              .call(request(model, "").withContent(List.of(new Content.Text("word ".repeat(100)))));
      assertThat(failure(answer)).isInstanceOf(ModelFailure.ContextTooLong.class);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Provider.class,
      names = {"OPENAI", "AZURE"})
  void filteredTextIsDeclined(Provider like) throws Exception {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(like(like).withFiltered("words"))) {
      ModelCard card = card(endpoint, "gpt-4o").build();
      ModelAnswer answer = provider("k").chatClient(card).call(request("gpt-4o", ""));
      assertThat(failure(answer)).isInstanceOf(ModelFailure.Declined.class);
    }
  }
}
