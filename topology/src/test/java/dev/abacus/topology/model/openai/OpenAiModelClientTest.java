package dev.abacus.topology.model.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelClientContract;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.model.RoutingModelClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenAiModelClientTest extends ModelClientContract {

  private static final ResponseSchema SCHEMA =
      new ResponseSchema(
          "map_output",
          JsonNodeFactory.instance.objectNode().put("type", "object").put("minProperties", 1));

  private final StubEndpoint endpoint = new StubEndpoint();

  @AfterEach
  void close() {
    endpoint.close();
  }

  /** Has the default key "k0", and "k1" in OWN_KEY. */
  @Override
  protected ModelClient client() {
    Endpoints endpoints = new Endpoints(endpoint.url(), "k0", Map.of("OWN_KEY", "k1")::get);
    return new RoutingModelClient(
        ModelCatalogue.of(
            List.of(
                CARD,
                card("own", endpoint.url(), "OWN_KEY"),
                ModelCard.chat("tiered")
                    .inputUsdPerMillion(2)
                    .contextTokens(1000)
                    .tiers(Map.of("flex", new ModelCard.Tier(1, null, 0, null, null)))
                    .build(),
                ModelCard.chat("hearing")
                    .inputUsdPerMillion(1)
                    .audioInputUsdPerMillion(16.0)
                    .contextTokens(1000)
                    .supports(new ModelCard.Supports(null, null, null, true, null, null))
                    .build(),
                card("keyless", endpoint.url(), null),
                card("locked", null, "NO_SUCH_KEY"))),
        List.of(new OpenAiProvider(endpoints)));
  }

  private static ModelCard card(String name, @Nullable String url, @Nullable String keyVariable) {
    return ModelCard.chat(name)
        .inputUsdPerMillion(1)
        .outputUsdPerMillion(1)
        .contextTokens(1000)
        .endpoint(url)
        .keyVariable(keyVariable)
        .build();
  }

  @Override
  protected void answers(String text, @Nullable TokenCounts usage) {
    endpoint.will(StubEndpoint.completion(text, "stop", usage));
  }

  @Override
  protected void truncates(String text, TokenCounts usage) {
    endpoint.will(StubEndpoint.completion(text, "length", usage));
  }

  @Override
  protected void limitsRate(Duration retryAfter) {
    endpoint.will(
        StubEndpoint.respond(
            429,
            "{\"error\": {\"message\": \"slow\"}}",
            "Retry-After",
            "" + retryAfter.toSeconds()));
  }

  @Override
  protected void fails() {
    endpoint.will(StubEndpoint.error(500, "", "internal error"));
  }

  @Override
  protected void rejectsRequest(String message) {
    endpoint.will(StubEndpoint.error(400, "", message));
  }

  @Override
  protected void rejectsKey(String message) {
    endpoint.will(StubEndpoint.error(401, "", message));
  }

  @Override
  protected void sendsGarbage() {
    endpoint.will(StubEndpoint.respond(200, "<html>welcome</html>"));
  }

  @Override
  protected void neverAnswers() {
    endpoint.will(endpoint.stall());
  }

  @Override
  protected void stallsInBody() {
    endpoint.will(endpoint.stallInTheBody());
  }

  @Override
  protected void closesConnectionInBody() {
    endpoint.will(StubEndpoint.hangUpInTheBody());
  }

  @Override
  protected void awaitRequest() throws InterruptedException {
    endpoint.firstRequest.await();
  }

  @Override
  protected void stopEndpoint() {
    endpoint.close();
  }

  private static ModelRequest request(String model) {
    return ModelRequest.of(model, "rules", List.of(new Content.Text("words")), SCHEMA);
  }

  @Test
  void theRequestHasModelMessagesTemperatureAndStrictSchema() throws InterruptedException {
    endpoint.will(StubEndpoint.say("{}"));
    client().call(request("dear"));
    JsonNode body = endpoint.received.getFirst().body();
    assertThat(endpoint.received.getFirst().path()).isEqualTo("/v1/chat/completions");
    assertThat(body.path("model").asText()).isEqualTo("dear-2026");
    assertThat(body.path("temperature").asDouble(9)).isZero();
    assertThat(body.at("/messages/0/role").asText()).isEqualTo("system");
    assertThat(body.at("/messages/0/content").asText()).isEqualTo("rules");
    assertThat(body.at("/messages/1/role").asText()).isEqualTo("user");
    assertThat(body.at("/messages/1").toString()).contains("words");
    assertThat(body.at("/response_format/type").asText()).isEqualTo("json_schema");
    assertThat(body.at("/response_format/json_schema/name").asText()).isEqualTo("map_output");
    assertThat(body.at("/response_format/json_schema/strict").asBoolean()).isTrue();
    assertThat(body.at("/response_format/json_schema/schema"))
        .hasToString(SCHEMA.schema().toString());
  }

  @Test
  void aCallIsBilledAtTheTierThatAnsweredIt() throws InterruptedException {
    for (String tier : List.of("\"flex\"", "\"default\"", "null")) {
      endpoint.will(
          StubEndpoint.respond(
              200,
              """
              {"choices": [{"message": {"role": "assistant", "content": "{}"}, "finish_reason": "stop"}],
               "usage": {"prompt_tokens": 500, "completion_tokens": 1}, "service_tier": %s}
              """
                  .formatted(tier)));
    }
    ModelClient client = client();

    assertThat(client.call(request("tiered@flex")).cost()).isEqualTo(500e-6);
    assertThat(client.call(request("tiered@flex")).cost()).isEqualTo(1000e-6);
    assertThat(client.call(request("tiered@flex")).cost()).isEqualTo(1000e-6);
    assertThat(endpoint.received)
        .allSatisfy(call -> {
          assertThat(call.body().path("model").asText()).isEqualTo("tiered");
          assertThat(call.body().path("service_tier").asText()).isEqualTo("flex");
        });
  }

  @Test
  void aTierWithoutCapacityIsNoRateLimit() throws InterruptedException {
    endpoint.will(
        StubEndpoint.error(429, "resource_unavailable", "Resource unavailable"),
        StubEndpoint.error(429, "rate_limit_exceeded", "Rate limit reached"),
        StubEndpoint.error(429, "resource_unavailable", "Resource unavailable"));
    ModelClient client = client();

    assertThat(client.call(request("tiered@flex")).failure())
        .isInstanceOf(ModelFailure.TierUnavailable.class);
    assertThat(client.call(request("tiered@flex")).failure())
        .isInstanceOf(ModelFailure.RateLimited.class);
    assertThat(client.call(request("tiered")).failure())
        .isInstanceOf(ModelFailure.RateLimited.class);
  }

  @Test
  void anEndpointThatRefusesTheTierIsAskedWithoutIt() throws InterruptedException {
    endpoint.will(
        StubEndpoint.error(400, "", "Unknown parameter: 'service_tier'"), StubEndpoint.say("{}"));

    assertThat(client().call(request("tiered@flex")).failure()).isNull();
    assertThat(endpoint.received.getLast().body().has("service_tier")).isFalse();
  }

  @Test
  void theAnswerHasTheLogprobsOfTheEndpoint() throws InterruptedException {
    endpoint.will(StubEndpoint.say("{}"));
    ModelRequest.Options options = new ModelRequest.Options(0, 5, true);
    ModelAnswer.Success answer =
        (ModelAnswer.Success) client().call(request("dear").withOptions(options));
    assertThat(answer.logprobs()).containsExactly(new ModelAnswer.TokenLogprob("x", -0.25));
    JsonNode body = endpoint.received.getFirst().body();
    assertThat(body.path("logprobs").asBoolean()).isTrue();
    assertThat(body.path("max_completion_tokens").asInt()).isEqualTo(5);
  }

  @Test
  void noUpgradeToHttp2IsOffered() throws InterruptedException {
    endpoint.will(StubEndpoint.say("{}"));
    client().call(request("dear"));
    assertThat(endpoint.received.getFirst().headers())
        .doesNotContainKeys("Upgrade", "Http2-settings");
  }

  @Test
  void theDefaultKeyIsSentToTheDefaultEndpointOnly() throws InterruptedException {
    endpoint.will(StubEndpoint.say("{}"), StubEndpoint.say("{}"), StubEndpoint.say("{}"));
    ModelClient client = client();
    client.call(request("dear"));
    client.call(request("own"));
    client.call(request("keyless"));
    assertThat(endpoint.received)
        .extracting(each -> each.headers().getFirst("Authorization"))
        .containsExactly("Bearer k0", "Bearer k1", null);
  }

  @Test
  void aMissingKeyFailsWithoutACall() throws InterruptedException {
    ModelAnswer locked = client().call(request("locked"));
    assertThat(locked.failure()).isInstanceOf(ModelFailure.AuthenticationFailed.class);
    assertThat(((ModelAnswer.Failed) locked).failure().message()).contains("NO_SUCH_KEY");
    assertThat(endpoint.received).isEmpty();
  }

  @Test
  void connectionsAreReused() throws InterruptedException {
    ModelClient client = client();
    for (int i = 0; i < 5; i++) {
      endpoint.will(StubEndpoint.say("{}"));
      client.call(request("dear"));
    }
    assertThat(endpoint.received).extracting(StubEndpoint.Received::remotePort).hasSize(5);
    assertThat(endpoint.received.stream().map(StubEndpoint.Received::remotePort).distinct())
        .hasSize(1);
  }

  @Test
  void imagesAreSentInHighDetail() throws InterruptedException {
    endpoint.will(StubEndpoint.say("{}"));
    client()
        .call(
            ModelRequest.of(
                "dear",
                "rules",
                List.of(
                    new Content.Text("look"),
                    Content.of("image/png", "aGk="),
                    new Content.Attachment(Media.Reference.of("https://example.org/i.png"))),
                SCHEMA));
    JsonNode parts = endpoint.received.getFirst().body().at("/messages/1/content");
    assertThat(parts.at("/1/image_url/url").asText()).isEqualTo("data:image/png;base64,aGk=");
    assertThat(parts.at("/1/image_url/detail").asText()).isEqualTo("high");
    assertThat(parts.at("/2/image_url/url").asText()).isEqualTo("https://example.org/i.png");
  }

  @Test
  void aSoundIsSentToModelsThatHearAtItsOwnPrice() throws InterruptedException {
    ModelRequest request =
        ModelRequest.of(
            "hearing",
            "rules",
            List.of(new Content.Text("listen"), Content.of("audio/wav", "UklGRgAAAABXQVZF")),
            SCHEMA);
    endpoint.will(
        StubEndpoint.respond(
            200,
            """
            {"choices": [{"message": {"role": "assistant", "content": "{}"}, "finish_reason": "stop"}],
             "usage": {"prompt_tokens": 500, "completion_tokens": 0,
                       "prompt_tokens_details": {"audio_tokens": 400}}}
            """));

    assertThat(client().call(request).cost()).isCloseTo((100 + 400 * 16) * 1e-6, within(1e-12));
    JsonNode part = endpoint.received.getFirst().body().at("/messages/1/content/1");
    assertThat(part)
        .hasToString(
            """
            {"type":"input_audio","input_audio":{"data":"UklGRgAAAABXQVZF","format":"wav"}}\
            """);

    ModelRequest deaf = ModelRequest.of("dear", request.system(), request.content(), SCHEMA);
    assertThat(client().call(deaf).failure())
        .isEqualTo(new ModelFailure.Refused(0, "model dear does not hear sounds"));
    assertThat(endpoint.received).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "429, rate_limit_exceeded, RateLimited",
    "429, insufficient_quota, QuotaExhausted",
    "500, '', ServerError",
    "502, '', ServerError",
    "503, '', ServerError",
    "504, '', ServerError",
    "529, '', ServerError",
    "400, '', Refused",
    "422, '', Refused",
    "302, '', Refused",
    "401, '', AuthenticationFailed",
    "403, '', AuthenticationFailed",
    "404, '', UnknownModel",
    "400, model_not_found, UnknownModel",
    "408, '', TimedOut",
    "413, '', ContextTooLong",
    "400, context_length_exceeded, ContextTooLong",
    "400, content_filter, Declined",
  })
  void aStatusAndAnErrorCodeDetermineTheFailure(int status, String code, String failureClass)
      throws InterruptedException {
    endpoint.will(StubEndpoint.error(status, code, "bad thing"));
    ModelFailure failure = failure();
    assertThat(failure.getClass().getSimpleName()).isEqualTo(failureClass);
    assertThat(failure.message()).contains("status " + status, "bad thing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "This model's maximum context length is 8192 tokens",
        "the prompt exceeds the context window"
      })
  void aMessageAboutTheContextIsATooLongContext(String message) throws InterruptedException {
    endpoint.will(StubEndpoint.error(400, "", message));
    assertThat(failure()).isInstanceOf(ModelFailure.ContextTooLong.class);
  }

  @Test
  void anErrorOutsideTheFormOfTheApiKeepsItsBody() throws InterruptedException {
    endpoint.will(StubEndpoint.respond(502, "<html>oops</html>"));
    assertThat(failure().message()).isEqualTo("status 502: <html>oops</html>");
  }

  @Test
  void aLongErrorIsShortened() throws InterruptedException {
    endpoint.will(StubEndpoint.respond(502, "x".repeat(5000)));
    assertThat(failure().message()).hasSizeBetween(1000, 1050).endsWith("…");
  }

  @ParameterizedTest
  @CsvSource({
    "Retry-After, 7, 7000",
    "Retry-After, 0.25, 250",
    "Retry-After-Ms, 1500, 1500",
    "Retry-After, 'Thu, 01 Jan 1970 00:00:00 GMT', 0",
    "Retry-After, soon, ",
  })
  void theRequestedPauseIsParsed(String header, String value, @Nullable Long millis)
      throws InterruptedException {
    endpoint.will(StubEndpoint.respond(429, "{}", header, value));
    assertThat(failure().retryAfter()).isEqualTo(millis == null ? null : Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html>welcome</html>",
        "{\"choices\": ",
        "{}",
        "[]",
        "{\"choices\": []}",
        "{\"choices\": [{}]}"
      })
  void aResponseOutsideTheFormOfTheApiIsWorthRepeating(String body) throws InterruptedException {
    endpoint.will(StubEndpoint.respond(200, body));
    assertThat(failure().repetitions()).isPositive();
  }

  @Test
  void anEmptyAnswerIsAFailure() throws InterruptedException {
    endpoint.will(StubEndpoint.completion("", "stop", null));
    assertThat(failure()).isInstanceOf(ModelFailure.EmptyAnswer.class);
  }

  @Test
  void anAnswerThatTheContentFilterStoppedIsDeclined() throws InterruptedException {
    endpoint.will(StubEndpoint.completion("{", "content_filter", null));
    assertThat(failure()).isInstanceOf(ModelFailure.Declined.class);
  }

  @Test
  void aParameterThatTheModelRefusesIsLeftOutFromThenOn() throws InterruptedException {
    endpoint.will(
        StubEndpoint.error(400, "unsupported_value", "'temperature' does not support 0"),
        StubEndpoint.error(400, "", "response_format is not supported"),
        StubEndpoint.error(400, "", "response_format is not supported"),
        StubEndpoint.say("{}"),
        StubEndpoint.say("{}"));
    ModelClient client = client();
    assertThat(client.call(request("dear")).failure()).isNull();
    assertThat(client.call(request("dear")).attempts()).isEqualTo(1);
    assertThat(endpoint.received).hasSize(5);
    JsonNode last = endpoint.received.getLast().body();
    assertThat(last.has("temperature")).isFalse();
    assertThat(last.has("response_format")).isFalse();
    assertThat(last.at("/messages/0/content").asText())
        .as("the system message contains the schema, and is the same for all documents")
        .startsWith("rules")
        .contains("JSON schema", "\"type\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        "Structured outputs are not supported with this model",
        "response_format value as json_schema is enabled only for api versions 2024-08-01-preview",
        "The provided JSON schema contains features not supported by xgrammar.",
        "Failed to initialize samplers: failed to parse grammar"
      })
  void aRefusedSchemaIsRecognizedByTheTextOfRealServers(String message)
      throws InterruptedException {
    endpoint.will(
        StubEndpoint.error(400, "", message),
        StubEndpoint.error(400, "", message), // also without the keyword minProperties
        StubEndpoint.say("{}"));
    assertThat(client().call(request("dear")).failure()).isNull();
    assertThat(endpoint.received.getLast().body().has("response_format")).isFalse();
  }

  @Test
  void olderServersGetMaxTokensInsteadOfMaxCompletionTokens() throws InterruptedException {
    endpoint.will(
        StubEndpoint.error(400, "", "unknown parameter max_completion_tokens"),
        StubEndpoint.say("{}"));
    ModelRequest.Options options = new ModelRequest.Options(0, 5, false);
    assertThat(client().call(request("dear").withOptions(options)).failure()).isNull();
    JsonNode last = endpoint.received.getLast().body();
    assertThat(last.has("max_completion_tokens")).isFalse();
    assertThat(last.path("max_tokens").asInt()).isEqualTo(5);
  }
}
