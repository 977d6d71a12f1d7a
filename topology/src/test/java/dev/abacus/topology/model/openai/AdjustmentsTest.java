package dev.abacus.topology.model.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCardBuilder;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.RequestHash;
import dev.abacus.topology.model.ResponseSchema;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client changes in a request that the endpoint does not accept. */
class AdjustmentsTest {

  /** The refusal of OpenAI's reasoning models. */
  private static final String TEMPERATURE =
      """
      {"error": {"message": "Unsupported value: 'temperature' does not support 0 with this model.",
        "type": "invalid_request_error", "param": "temperature", "code": "unsupported_value"}}
      """;

  private final StubEndpoint endpoint = new StubEndpoint();
  private final SettableClock clock = new SettableClock();

  @AfterEach
  void close() {
    endpoint.close();
  }

  /** A clock that a test advances. */
  private static final class SettableClock extends Clock {
    private Instant now = Instant.EPOCH;

    @Override
    public ZoneId getZone() {
      return ZoneId.of("UTC");
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  private ModelClient client(ModelCard card) {
    Endpoints endpoints = new Endpoints(endpoint.url(), null, Map.<String, String>of()::get);
    return new OpenAiProvider(endpoints, (_, _) -> {}, clock).chatClient(card);
  }

  private static ModelCardBuilder card() {
    return ModelCard.chat("m").inputUsdPerMillion(1).outputUsdPerMillion(1).contextTokens(1000);
  }

  private static ResponseSchema schema(String name) {
    return new ResponseSchema(
        name, JsonNodeFactory.instance.objectNode().put("type", "object").put("title", name));
  }

  private static ModelRequest request(@Nullable ResponseSchema schema) {
    return ModelRequest.of("m", "rules", List.of(new Content.Text("words")), schema);
  }

  private JsonNode sent(int index) {
    return endpoint.received.get(index).body();
  }

  @Test
  void theNamedParameterIsLeftOutFromThenOnAndSentAgainAfterAnHour() throws InterruptedException {
    endpoint.will(StubEndpoint.respond(400, TEMPERATURE));
    for (int i = 0; i < 4; i++) {
      endpoint.will(StubEndpoint.say("a"));
    }
    ModelClient client = client(card().build());
    ModelAnswer first = client.call(request(null));
    assertThat(first.failure()).isNull();
    assertThat(first.attempts()).isEqualTo(2);
    clock.now = clock.now.plus(Duration.ofMinutes(59));
    client.call(request(null));
    clock.now = clock.now.plus(Duration.ofMinutes(2));
    client.call(request(null));
    assertThat(endpoint.received)
        .extracting(each -> each.body().has("temperature"))
        .containsExactly(true, false, false, true);
  }

  @Test
  void aFindingIsKeptOnlyIfTheChangedRequestSucceeds() throws InterruptedException {
    endpoint.will(
        StubEndpoint.respond(400, TEMPERATURE),
        StubEndpoint.error(400, "", "the words are not acceptable"),
        StubEndpoint.say("a"));
    ModelClient client = client(card().build());
    assertThat(client.call(request(null)).failure()).isInstanceOf(ModelFailure.Refused.class);
    client.call(request(null));
    assertThat(sent(2).has("temperature")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The patient's temperature is no valid reading",
        "The text about temperature and logprobs was rejected by policy",
        "invalid document: temperature 39.5"
      })
  void aMessageThatOnlyMentionsAParameterChangesNothing(String message)
      throws InterruptedException {
    endpoint.will(StubEndpoint.error(400, "", message));
    assertThat(client(card().build()).call(request(null)).failure())
        .isInstanceOf(ModelFailure.Refused.class);
    assertThat(endpoint.received).hasSize(1);
  }

  @Test
  void anotherNamedParameterDecidesAgainstTheText() throws InterruptedException {
    endpoint.will(
        StubEndpoint.respond(
            400,
            """
            {"error": {"message": "Unknown parameter: 'temperature' is not supported, see user",
              "param": "user", "code": "unknown_parameter"}}
            """));
    client(card().build()).call(request(null));
    assertThat(endpoint.received).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // LiteLLM, with its own message, and with that of its provider
        "litellm.UnsupportedParamsError: gpt-5-nano doesn't support temperature=0.1 while reasoning",
        "litellm.BadRequestError: OpenAIException - Error code: 400 - {'error': {'message': \"Un"
            + "supported\", 'param': 'temperature', 'code': 'unsupported_parameter'}}",
        // Anthropic's compatible API
        "`temperature` is deprecated for this model.",
        // Azure
        "Unrecognized request argument supplied: temperature"
      })
  void serversWithoutAParameterAreUnderstoodByTheirText(String message)
      throws InterruptedException {
    endpoint.will(StubEndpoint.error(400, "", message), StubEndpoint.say("a"));
    assertThat(client(card().build()).call(request(null)).failure()).isNull();
    assertThat(sent(1).has("temperature")).isFalse();
  }

  @Test
  void fastApiNamesTheParameterByItsLocation() throws InterruptedException {
    endpoint.will(
        StubEndpoint.respond(
            422,
            """
            {"detail": [{"type": "extra_forbidden", "loc": ["body", "temperature"],
              "msg": "Extra inputs are not permitted"}]}
            """),
        StubEndpoint.say("a"));
    assertThat(client(card().build()).call(request(null)).failure()).isNull();
    assertThat(sent(1).has("temperature")).isFalse();
  }

  @Test
  void logprobsAreRefusedWithStatus403() throws InterruptedException {
    endpoint.will(
        StubEndpoint.error(403, "", "You are not allowed to request logprobs from this model"),
        StubEndpoint.say("a"));
    ModelRequest request = request(null).withOptions(new ModelRequest.Options(0, null, true));
    assertThat(client(card().build()).call(request).failure()).isNull();
    assertThat(sent(1).has("logprobs")).isFalse();
  }

  @Test
  void aRefusedSchemaConcernsThatSchema() throws InterruptedException {
    endpoint.will(
        StubEndpoint.respond(
            400,
            """
            {"error": {"message": "Invalid schema for response_format 'bad': 'pattern'",
              "type": "invalid_request_error", "param": "response_format", "code": null}}
            """));
    for (int i = 0; i < 3; i++) {
      endpoint.will(StubEndpoint.say("{}"));
    }
    ModelClient client = client(card().build());
    client.call(request(schema("bad")));
    client.call(request(schema("good")));
    client.call(request(schema("bad")));
    assertThat(endpoint.received)
        .extracting(each -> each.body().has("response_format"))
        .containsExactly(true, false, true, false);
    assertThat(sent(1).at("/messages/0/content").asText()).contains("\"title\":\"bad\"");
    assertThat(sent(2).at("/messages/0/content").asText()).isEqualTo("rules");
  }

  @Test
  void anEndpointThatRefusesBoundsStillEnforcesEnumerations() throws Exception {
    JsonNode bounded =
        new ObjectMapper()
            .readTree(
                """
                {"type": "object", "required": ["kind", "pattern"], "additionalProperties": false,
                  "properties": {
                    "kind": {"type": "string", "enum": ["a", "b"]},
                    "pattern": {"type": ["array", "null"], "maxItems": 3,
                      "items": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}}}}
                """);
    endpoint.will(
        StubEndpoint.error(
            400, "", "Invalid schema for response_format 's': 'minimum' is not permitted"),
        StubEndpoint.say("{}"),
        StubEndpoint.say("{}"));
    ModelClient client = client(card().build());
    client.call(request(new ResponseSchema("s", bounded)));
    client.call(request(new ResponseSchema("s", bounded)));

    JsonNode sent = sent(2).at("/response_format/json_schema/schema");
    assertThat(sent.at("/properties/kind/enum")).hasSize(2);
    assertThat(sent.at("/properties/pattern/items/anyOf")).hasSize(2);
    assertThat(sent.toString()).doesNotContain("minimum", "maxItems");
    assertThat(sent(2).at("/messages/0/content").asText()).contains("\"minimum\":1");
    assertThat(endpoint.received).hasSize(3);
  }

  @Test
  void anEndpointThatIgnoresTheSchemaGetsItAsTextToo() throws InterruptedException {
    endpoint.will(
        StubEndpoint.say("The answer is yes."),
        StubEndpoint.say("{\"x\": 1}"),
        StubEndpoint.say("{\"x\": 2}"));
    ModelClient client = client(card().build());
    ModelAnswer first = client.call(request(schema("s")));
    assertThat(first).isInstanceOf(ModelAnswer.Success.class);
    assertThat(((ModelAnswer.Success) first).text()).isEqualTo("{\"x\": 1}");
    assertThat(first.tokens().input()).as("both answers are paid").isEqualTo(200);
    assertThat(first.attempts()).isEqualTo(2);
    client.call(request(schema("s")));
    assertThat(endpoint.received).hasSize(3);
    assertThat(sent(2).has("response_format")).isTrue();
    assertThat(sent(2).at("/messages/0/content").asText()).contains("JSON schema");
  }

  @Test
  void aModelThatNeverAnswersInJsonIsAskedOnceMoreOnly() throws InterruptedException {
    endpoint.will(StubEndpoint.say("no"), StubEndpoint.say("still no"), StubEndpoint.say("{}"));
    ModelClient client = client(card().build());
    ModelAnswer answer = client.call(request(schema("s")));
    assertThat(((ModelAnswer.Success) answer).text()).isEqualTo("still no");
    client.call(request(schema("s")));
    assertThat(sent(2).at("/messages/0/content").asText()).isEqualTo("rules");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 500})
  void instructionsJoinTheUserMessageIfTheTemplateHasNoSystemRole(int status)
      throws InterruptedException {
    endpoint.will(
        StubEndpoint.respond(
            status,
            """
            {"object": "error", "message": "System role not supported", "param": null,
              "type": "BadRequestError", "code": %d}
            """
                .formatted(status)),
        StubEndpoint.say("a"));
    assertThat(client(card().build()).call(request(null)).failure()).isNull();
    assertThat(sent(1).path("messages")).hasSize(1);
    assertThat(sent(1).at("/messages/0/role").asText()).isEqualTo("user");
    assertThat(sent(1).path("messages").toString()).contains("rules", "words");
  }

  @Test
  void theCardStatesWhatTheModelDoesNotAccept() throws InterruptedException {
    endpoint.will(StubEndpoint.say("{}"));
    ModelCard card =
        card().supports(new ModelCard.Supports(false, false, false, null, false, false)).build();
    ModelRequest request =
        request(schema("s")).withOptions(new ModelRequest.Options(0.5, null, true));
    client(card).call(request);
    assertThat(sent(0).has("temperature")).isFalse();
    assertThat(sent(0).has("logprobs")).isFalse();
    assertThat(sent(0).has("response_format")).isFalse();
    assertThat(sent(0).at("/messages/0/content").asText()).contains("JSON schema");
    ModelAnswer image =
        client(card).call(request.withContent(List.of(Content.of("image/png", "aGk="))));
    assertThat(image.failure()).isInstanceOf(ModelFailure.Refused.class);
    assertThat(endpoint.received).hasSize(1);
  }

  @Test
  void theCardSetsTheGenerationOfAllItsRequests() throws InterruptedException {
    endpoint.will(StubEndpoint.say("a"), StubEndpoint.say("a"));
    ModelCard card =
        card().maxOutputTokens(50).reasoningEffort("low").promptCacheKey("abacus").build();
    client(card).call(request(null));
    client(card).call(request(null).withOptions(new ModelRequest.Options(0, 20, false)));
    assertThat(sent(0).path("max_completion_tokens").asInt()).isEqualTo(50);
    assertThat(sent(0).path("reasoning_effort").asText()).isEqualTo("low");
    assertThat(sent(0).path("prompt_cache_key").asText()).isEqualTo("abacus");
    assertThat(sent(1).path("max_completion_tokens").asInt()).isEqualTo(20);
  }

  @Test
  void aRequestMaySetAnotherReasoningEffort() throws InterruptedException {
    endpoint.will(StubEndpoint.say("a"), StubEndpoint.say("a"));
    ModelCard card = card().reasoningEffort("low").build();
    client(card).call(request(null).withReasoningEffort("high"));
    client(card().build()).call(request(null).withReasoningEffort("high"));
    assertThat(sent(0).path("reasoning_effort").asText()).isEqualTo("high");
    assertThat(sent(1).path("reasoning_effort").asText()).isEqualTo("high");
    assertThat(RequestHash.of(request(null).withReasoningEffort("high")))
        .as("another answer")
        .isNotEqualTo(RequestHash.of(request(null)));
  }
}
