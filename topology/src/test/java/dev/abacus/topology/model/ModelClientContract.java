package dev.abacus.topology.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.topology.model.openai.StubEndpoint;
import dev.abacus.topology.operator.prompt.FieldSchema;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every client of an OpenAI-compatible endpoint must do, whatever the endpoint does. */
@Timeout(30)
@SuppressWarnings("this-escape") // the factory method of a test does not look at its fields
public abstract class ModelClientContract {

  /**
   * Chat models: dear has its own name at the endpoint, elsewhere an endpoint and key of its own.
   */
  protected static ModelCatalogue catalogue(String elsewhere) {
    return ModelCatalogue.of(
        List.of(
            new ModelCard(
                "dear", ModelCard.Kind.CHAT, 10, 5.0, 20, 0.9, 0.01, 1000, null, "dear-2026", null),
            new ModelCard(
                "own",
                ModelCard.Kind.CHAT,
                1,
                null,
                1,
                0.5,
                0.01,
                1000,
                elsewhere,
                null,
                "OWN_KEY"),
            new ModelCard(
                "keyless", ModelCard.Kind.CHAT, 1, null, 1, 0.5, 0.01, 1000, elsewhere, null, null),
            new ModelCard(
                "locked",
                ModelCard.Kind.CHAT,
                1,
                null,
                1,
                0.5,
                0.01,
                1000,
                null,
                null,
                "NO_SUCH_KEY")));
  }

  /** A client that makes single attempts, with default key "k0" and "k1" in OWN_KEY. */
  protected abstract ModelClient client(String defaultUrl, ModelCatalogue catalogue);

  private final StubEndpoint endpoint = new StubEndpoint();
  private final ModelClient client = client(endpoint.url(), catalogue(endpoint.url()));

  @AfterEach
  void close() {
    endpoint.close();
  }

  private static final ResponseSchema SCHEMA =
      new ResponseSchema(
          "map_output",
          FieldSchema.of(
              List.of(new Field("x", new FieldType.IntegerType(1L, 5L), "a number", true))));

  private static ModelRequest request(String model) {
    return ModelRequest.of(model, "rules", List.of(new Content.Text("words")), SCHEMA);
  }

  private ModelFailure failureAfter(StubEndpoint.Behaviour behaviour) throws InterruptedException {
    endpoint.will(behaviour);
    ModelAnswer answer = client.call(request("dear"));
    assertThat(answer).isInstanceOf(ModelAnswer.Failed.class);
    assertThat(answer.attempts()).isEqualTo(1);
    return ((ModelAnswer.Failed) answer).failure();
  }

  @Test
  void aGoodAnswerCarriesTextTokensPriceAndTime() throws InterruptedException {
    endpoint.will(StubEndpoint.say("{\"x\": 1}"));
    ModelAnswer.Success answer = (ModelAnswer.Success) client.call(request("dear"));
    assertThat(answer.text()).isEqualTo("{\"x\": 1}");
    assertThat(answer.usage()).isEqualTo(new Usage(100, 40, 10, false));
    assertThat(answer.cost()).isCloseTo((60 * 10 + 40 * 5 + 10 * 20) / 1e6, within(1e-12));
    assertThat(answer.latency()).isPositive();
    assertThat(answer.attempts()).isEqualTo(1);
    assertThat(answer.logprobs()).containsExactly(new TokenLogprob("x", -0.25));
  }

  @Test
  void theRequestSaysModelMessagesTemperatureAndStrictSchema() throws InterruptedException {
    endpoint.will(StubEndpoint.say("{}"));
    client.call(request("dear"));
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
  void noUpgradeToHttp2IsOffered() throws InterruptedException {
    endpoint.will(StubEndpoint.say("{}"));
    client.call(request("dear"));
    assertThat(endpoint.received.getFirst().headers())
        .doesNotContainKeys("Upgrade", "Http2-settings");
  }

  @Test
  void aCardsOwnEndpointGetsItsOwnKeyAndTheDefaultOneTheDefault() throws InterruptedException {
    endpoint.will(StubEndpoint.say("{}"), StubEndpoint.say("{}"), StubEndpoint.say("{}"));
    client.call(request("dear"));
    client.call(request("own"));
    client.call(request("keyless"));
    assertThat(endpoint.received)
        .extracting(each -> each.headers().getFirst("Authorization"))
        .containsExactly("Bearer k0", "Bearer k1", null);
  }

  @Test
  void aMissingKeyOrUnknownModelIsToldWithoutACall() throws InterruptedException {
    ModelAnswer locked = client.call(request("locked"));
    assertThat(locked.failure()).isInstanceOf(ModelFailure.AuthenticationFailed.class);
    assertThat(((ModelAnswer.Failed) locked).failure().message()).contains("NO_SUCH_KEY");
    assertThat(client.call(request("nobody")).failure())
        .isInstanceOf(ModelFailure.UnknownModel.class);
    assertThat(endpoint.received).isEmpty();
  }

  @Test
  void connectionsAreReused() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      endpoint.will(StubEndpoint.say("{}"));
      client.call(request("dear"));
    }
    assertThat(endpoint.received).extracting(StubEndpoint.Received::remotePort).hasSize(5);
    assertThat(endpoint.received.stream().map(StubEndpoint.Received::remotePort).distinct())
        .hasSize(1);
  }

  @Test
  void imagesGoAlongInHighDetail() throws InterruptedException {
    endpoint.will(StubEndpoint.say("{}"));
    client.call(
        ModelRequest.of(
            "dear",
            "rules",
            List.of(
                new Content.Text("look"),
                new Content.ImageBytes("image/png", "aGk="),
                new Content.ImageReference("https://example.org/i.png")),
            SCHEMA));
    JsonNode parts = endpoint.received.getFirst().body().at("/messages/1/content");
    assertThat(parts.at("/1/image_url/url").asText()).isEqualTo("data:image/png;base64,aGk=");
    assertThat(parts.at("/1/image_url/detail").asText()).isEqualTo("high");
    assertThat(parts.at("/2/image_url/url").asText()).isEqualTo("https://example.org/i.png");
  }

  @Test
  void aRateLimitTellsHowLongToWait() throws InterruptedException {
    ModelFailure failure =
        failureAfter(
            StubEndpoint.respond(429, "{\"error\": {\"message\": \"slow\"}}", "Retry-After", "7"));
    assertThat(failure).isInstanceOf(ModelFailure.RateLimited.class);
    assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(7));
    assertThat(failure.retryable()).isTrue();
  }

  @Test
  void anExhaustedQuotaIsNotWaitedFor() throws InterruptedException {
    ModelFailure failure = failureAfter(StubEndpoint.error(429, "insufficient_quota", "pay"));
    assertThat(failure).isInstanceOf(ModelFailure.QuotaExhausted.class);
    assertThat(failure.retryable()).isFalse();
  }

  @Test
  void serverErrorsMayBeRetried() throws InterruptedException {
    for (int status : new int[] {500, 502, 503, 504, 529}) {
      ModelFailure failure = failureAfter(StubEndpoint.respond(status, "<html>oops</html>"));
      assertThat(failure).isInstanceOf(ModelFailure.ServerError.class);
      assertThat(failure.retryable()).isTrue();
      assertThat(failure.message()).contains(String.valueOf(status));
    }
  }

  @Test
  void refusalsMayNotBeRetriedAndSayWhy() throws InterruptedException {
    Map<StubEndpoint.Behaviour, Class<? extends ModelFailure>> cases =
        Map.of(
            StubEndpoint.error(400, "", "bad thing"), ModelFailure.Refused.class,
            StubEndpoint.error(422, "", "bad thing"), ModelFailure.Refused.class,
            StubEndpoint.error(401, "", "bad thing"), ModelFailure.AuthenticationFailed.class,
            StubEndpoint.error(403, "", "bad thing"), ModelFailure.AuthenticationFailed.class,
            StubEndpoint.error(404, "", "bad thing"), ModelFailure.UnknownModel.class,
            StubEndpoint.error(400, "context_length_exceeded", "bad thing"),
                ModelFailure.ContextTooLong.class,
            StubEndpoint.error(400, "content_filter", "bad thing"), ModelFailure.Declined.class,
            StubEndpoint.respond(302, "bad thing", "Location", "/elsewhere"),
                ModelFailure.Refused.class);
    for (var each : cases.entrySet()) {
      ModelFailure failure = failureAfter(each.getKey());
      assertThat(failure).isInstanceOf(each.getValue());
      assertThat(failure.retryable()).isFalse();
      assertThat(failure.message()).contains("bad thing");
    }
  }

  @Test
  void anEndpointThatNeverAnswersIsGivenUpAtTheDeadline() throws InterruptedException {
    assertTimesOut(endpoint.stall());
  }

  @Test
  void aBodyThatStallsHalfWayIsGivenUpAtTheDeadline() throws InterruptedException {
    assertTimesOut(endpoint.stallInTheBody());
  }

  private void assertTimesOut(StubEndpoint.Behaviour behaviour) throws InterruptedException {
    endpoint.will(behaviour);
    ModelAnswer answer = client.call(request("dear").withTimeout(Duration.ofMillis(300)));
    assertThat(answer.failure()).isInstanceOf(ModelFailure.TimedOut.class);
    assertThat(answer.latency()).isBetween(0.29, 5.0);
  }

  @Test
  void anAnswerCutOffIsALostConnection() throws InterruptedException {
    assertThat(failureAfter(StubEndpoint.hangUpInTheBody()))
        .isInstanceOf(ModelFailure.ConnectionLost.class);
  }

  @Test
  void anEndpointThatIsNotThereIsALostConnection() throws InterruptedException, IOException {
    int freePort;
    try (ServerSocket socket = new ServerSocket(0)) {
      freePort = socket.getLocalPort();
    }
    ModelClient lost = client("http://127.0.0.1:" + freePort + "/v1", catalogue(endpoint.url()));
    ModelAnswer answer = lost.call(request("dear"));
    assertThat(answer.failure()).isInstanceOf(ModelFailure.ConnectionLost.class);
  }

  @Test
  void aResponseThatIsNotTheApisIsMalformed() throws InterruptedException {
    for (String body :
        List.of(
            "<html>welcome</html>",
            "{\"choices\": ",
            "{}",
            "[]",
            "{\"choices\": []}",
            "{\"choices\": [{}]}",
            StubEndpoint.completionBody("", "stop", "null"))) {
      ModelFailure failure = failureAfter(StubEndpoint.respond(200, body));
      assertThat(failure.retryable()).as(body + " → " + failure).isTrue();
    }
  }

  @Test
  void anAnswerThatHitTheOutputLimitIsPaidForButNoAnswer() throws InterruptedException {
    endpoint.will(
        StubEndpoint.completion(
            "{\"x",
            "length",
            "{\"prompt_tokens\": 1, \"completion_tokens\": 2, \"total_tokens\": 3}"));
    ModelAnswer answer = client.call(request("dear"));
    assertThat(answer.failure()).isInstanceOf(ModelFailure.Truncated.class);
    assertThat(answer.cost()).isCloseTo(50 / 1e6, within(1e-12));
  }

  @Test
  void tokensAreCountedWhereTheEndpointDoesNotSay() throws InterruptedException {
    endpoint.will(StubEndpoint.completion("hello world", "stop", "null"));
    ModelAnswer.Success answer = (ModelAnswer.Success) client.call(request("dear"));
    assertThat(answer.usage().estimated()).isTrue();
    assertThat(answer.usage().output()).isEqualTo(2);
    assertThat(answer.cost()).isPositive();
  }

  @Test
  void aParameterThatTheModelRefusesIsLeftOutFromThenOn() throws InterruptedException {
    endpoint.will(
        StubEndpoint.error(400, "unsupported_value", "'temperature' does not support 0"),
        StubEndpoint.error(400, "", "response_format is not supported"),
        StubEndpoint.say("{}"),
        StubEndpoint.say("{}"));
    assertThat(client.call(request("dear")).failure()).isNull();
    assertThat(client.call(request("dear")).attempts()).isEqualTo(1);
    assertThat(endpoint.received).hasSize(4);
    JsonNode last = endpoint.received.getLast().body();
    assertThat(last.has("temperature")).isFalse();
    assertThat(last.has("response_format")).isFalse();
    assertThat(last.at("/messages/0/content").asText())
        .as("the schema is said in words then, the same for all documents")
        .startsWith("rules")
        .contains("JSON schema", "\"type\"");
  }

  @Test
  void aRefusedSchemaIsRecognisedByWhateverNameTheEndpointGivesIt() throws InterruptedException {
    for (String words :
        List.of(
            "param response_format: unknown",
            "Structured outputs are not supported with this model",
            "json_schema is not a valid type",
            "This model has no Response Format")) {
      endpoint.will(StubEndpoint.error(400, "", words), StubEndpoint.say("{}"));
      ModelClient fresh = client(endpoint.url(), catalogue(endpoint.url()));
      assertThat(fresh.call(request("dear")).failure()).as(words).isNull();
      assertThat(endpoint.received.getLast().body().has("response_format")).isFalse();
    }
  }

  @Test
  void anInterruptEndsTheCallAtOnce() throws InterruptedException {
    endpoint.will(endpoint.stall());
    AtomicReference<Object> outcome = new AtomicReference<>();
    Thread caller =
        Thread.startVirtualThread(() -> {
          try {
            outcome.set(client.call(request("dear")));
          } catch (InterruptedException e) {
            outcome.set(e);
          }
        });
    endpoint.firstRequest.await();
    caller.interrupt();
    caller.join();
    assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
  }
}
