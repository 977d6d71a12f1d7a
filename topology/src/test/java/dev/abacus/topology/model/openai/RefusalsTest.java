package dev.abacus.topology.model.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCardBuilder;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refused and failed calls: their kinds, the bodies of real servers, and what they cost. */
class RefusalsTest {

  private final StubEndpoint endpoint = new StubEndpoint();

  @AfterEach
  void close() {
    endpoint.close();
  }

  private ModelAnswer call(ModelCardBuilder card, String key) throws InterruptedException {
    return new OpenAiProvider(new Endpoints(endpoint.url(), key, Map.<String, String>of()::get))
        .chatClient(card.build())
        .call(ModelRequest.of("m", "rules", List.of(new Content.Text("words")), null));
  }

  private static ModelCardBuilder card() {
    return ModelCard.chat("m").inputUsdPerMillion(10).outputUsdPerMillion(20).contextTokens(1000);
  }

  private ModelFailure failure(int status, String body) throws InterruptedException {
    endpoint.will(StubEndpoint.respond(status, body));
    return Objects.requireNonNull(call(card(), "sk-secret").failure());
  }

  @ParameterizedTest
  @CsvSource({
    "429, billing_hard_limit_reached, QuotaExhausted",
    "400, billing_hard_limit_reached, QuotaExhausted",
    "403, insufficient_quota, QuotaExhausted",
    "402, '', QuotaExhausted",
    "401, account_deactivated, AuthenticationFailed",
    "401, invalid_api_key, AuthenticationFailed",
    "400, string_above_max_length, ContextTooLong",
    "400, invalid_prompt, Declined",
    "400, content_policy_violation, Declined",
    "404, model_not_found, UnknownModel",
    "403, model_not_found, UnknownModel",
    "404, DeploymentNotFound, UnknownModel",
    "409, '', ServerError",
    "503, engine_overloaded, ServerError",
    "529, overloaded_error, ServerError",
    "429, rate_limit_exceeded, RateLimited",
    "429, 429, RateLimited",
  })
  void theCodeDecidesBeforeTheStatus(int status, String code, String kind)
      throws InterruptedException {
    ModelFailure failure =
        failure(
            status, "{\"error\": {\"message\": \"bad thing\", \"code\": \"%s\"}}".formatted(code));
    assertThat(failure.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(failure.message()).contains("bad thing");
  }

  @Test
  void vllmStatesTheContextInItsMessage() throws InterruptedException {
    ModelFailure failure =
        failure(
            400,
            """
            {"object": "error", "message": "This model's maximum context length is 8192 tokens. However,\
             you requested 9000 tokens", "type": "BadRequestError", "param": null, "code": 400}
            """);
    assertThat(failure).isInstanceOf(ModelFailure.ContextTooLong.class);
    assertThat(failure.message()).startsWith("status 400: This model's maximum");
  }

  @Test
  void llamaCppStatesTheContextInItsType() throws InterruptedException {
    assertThat(
            failure(
                400,
                """
                {"error": {"code": 400, "type": "exceed_context_size_error",
                  "message": "the request exceeds the available size"}}
                """))
        .isInstanceOf(ModelFailure.ContextTooLong.class);
  }

  @Test
  void ollamaStatesAMissingModelAsText() throws InterruptedException {
    ModelFailure failure = failure(404, "{\"error\": \"model 'm' not found\"}");
    assertThat(failure).isInstanceOf(ModelFailure.UnknownModel.class);
    assertThat(failure.message()).contains("model 'm' not found", "apiName", endpoint.url());
  }

  @Test
  void aUrlWithoutAnApiIsNamed() throws InterruptedException {
    ModelFailure failure = failure(404, "{\"detail\": \"Not Found\"}");
    assertThat(failure).isInstanceOf(ModelFailure.UnknownModel.class);
    assertThat(failure.message()).contains("Not Found", "base URL", endpoint.url());
  }

  @Test
  void azureDeclinesWithAnInnerError() throws InterruptedException {
    assertThat(
            failure(
                400,
                """
                {"error": {"message": "The response was filtered", "param": "prompt", "code": null,
                  "status": 400, "innererror": {"code": "ResponsibleAIPolicyViolation"}}}
                """))
        .isInstanceOf(ModelFailure.Declined.class);
  }

  @Test
  void aRequestAboveTheTokensOfAMinuteIsTooLong() throws InterruptedException {
    assertThat(
            failure(
                429,
                """
                {"error": {"message": "Request too large for gpt-4o in organization o on tokens per min\
                 (TPM): Limit 30000, Requested 45000.", "type": "tokens", "code": "rate_limit_exceeded"}}
                """))
        .isInstanceOf(ModelFailure.ContextTooLong.class);
  }

  @ParameterizedTest
  @CsvSource({
    "Rate limit reached for gpt-4o. Please try again in 6m0s. Visit us, 360000",
    "Limit 3. Please try again in 20s., 20000",
    "Please try again in 120ms, 120",
    "exceeded the token rate limit. Please retry after 45 seconds., 45000",
    "Please try again in a while, -1"
  })
  void thePauseIsReadFromTheMessageWithoutHeaders(String message, long millis)
      throws InterruptedException {
    ModelFailure failure = failure(429, "{\"error\": {\"message\": \"%s\"}}".formatted(message));
    assertThat(failure.retryAfter()).isEqualTo(millis < 0 ? null : Duration.ofMillis(millis));
  }

  @Test
  void anErrorWithStatus200IsNoAnswer() throws InterruptedException {
    assertThat(failure(200, "{\"error\": {\"message\": \"upstream limit\", \"code\": 429}}"))
        .isInstanceOf(ModelFailure.RateLimited.class);
    assertThat(failure(200, "{\"error\": {\"message\": \"upstream\"}}"))
        .isInstanceOf(ModelFailure.ServerError.class);
  }

  @Test
  void aKeyInAMessageIsHidden() throws InterruptedException {
    ModelFailure failure =
        failure(401, "{\"error\": {\"message\": \"Incorrect API key provided: sk-secret\"}}");
    assertThat(failure.message()).contains("[hidden]").doesNotContain("sk-secret");
  }

  @Test
  void aRefusalOfTheModelIsDeclinedAndPaid() throws InterruptedException {
    endpoint.will(
        StubEndpoint.respond(
            200,
            """
            {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": null,
                "refusal": "I cannot help with that."}}],
             "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}}
            """));
    ModelAnswer answer = call(card(), "k");
    assertThat(answer.failure()).isEqualTo(new ModelFailure.Declined("I cannot help with that."));
    assertThat(answer.tokens().input()).isEqualTo(100);
    assertThat(answer.tokens().output()).isEqualTo(10);
    assertThat(answer.cost()).isEqualTo((100 * 10 + 10 * 20) / 1e6);
  }

  @Test
  void theTokensOfARefusalAreBooked() throws InterruptedException {
    endpoint.will(
        StubEndpoint.respond(
            400,
            """
            {"error": {"message": "filtered", "code": "content_filter"},
             "usage": {"prompt_tokens": 100, "completion_tokens": 3,
               "prompt_tokens_details": {"cached_tokens": 40},
               "completion_tokens_details": {"reasoning_tokens": 2}}}
            """));
    ModelAnswer answer = call(card(), "k");
    assertThat(answer.tokens().cachedInput()).isEqualTo(40);
    assertThat(answer.tokens().reasoning()).isEqualTo(2);
    assertThat(answer.tokens().estimated()).isZero();
    assertThat(answer.cost()).isPositive();
  }

  @Test
  void tokensThatNoCallCanUseAreEstimatedInstead() throws InterruptedException {
    for (String impossible : List.of("2147483647", "2147483648", "9223372036854775807")) {
      endpoint.will(
          StubEndpoint.respond(
              200,
              """
              {"choices": [{"finish_reason": "stop", "message": {"role": "assistant",
                  "content": "refund"}}],
               "usage": {"prompt_tokens": 100, "completion_tokens": %s, "total_tokens": 110}}
              """
                  .formatted(impossible)));
      ModelAnswer answer = call(card(), "k");
      assertThat(answer.tokens().total()).isBetween(1L, 1000L);
      assertThat(answer.tokens().estimated()).isEqualTo(answer.tokens().total());
      assertThat(answer.cost()).isLessThan(0.1);
    }
  }

  @Test
  void aRefusalWithoutTokensCostsNothing() throws InterruptedException {
    endpoint.will(StubEndpoint.error(429, "rate_limit_exceeded", "slow"));
    ModelAnswer answer = call(card(), "k");
    assertThat(answer.cost()).isZero();
    assertThat(answer.tokens().total()).isZero();
  }

  @Test
  void aCallThatIsCutOffIsBookedAsAnEstimate() throws InterruptedException {
    endpoint.will(endpoint.stallInTheBody(), StubEndpoint.hangUpInTheBody());
    for (int i = 0; i < 2; i++) {
      ModelAnswer answer = call(card().timeoutSeconds(0.5), "k");
      assertThat(answer.failure()).isNotNull();
      assertThat(answer.tokens().input()).isPositive();
      assertThat(answer.tokens().estimated()).isEqualTo(answer.tokens().total());
      assertThat(answer.cost()).isPositive();
    }
  }

  @Test
  void aCallThatWasNeverSentCostsNothing() throws InterruptedException {
    endpoint.close();
    ModelAnswer answer = call(card(), "k");
    assertThat(answer.failure()).isInstanceOf(ModelFailure.ConnectionLost.class);
    assertThat(answer.cost()).isZero();
  }

  @Test
  void theFirstByteHasALimitOfItsOwn() throws InterruptedException {
    endpoint.will(endpoint.stall());
    ModelAnswer answer = call(card().firstByteTimeoutSeconds(0.3).timeoutSeconds(60.0), "k");
    assertThat(answer.failure()).isEqualTo(new ModelFailure.TimedOut("no response within 300 ms"));
    assertThat(answer.latency()).isBetween(0.29, 20.0);
  }

  @Test
  void anAnswerMayTakeLongerThanItsFirstByte() throws InterruptedException {
    endpoint.will(endpoint.stallInTheBody());
    ModelAnswer answer = call(card().firstByteTimeoutSeconds(0.3).timeoutSeconds(1.0), "k");
    assertThat(answer.failure())
        .isEqualTo(new ModelFailure.TimedOut("no complete answer within 1000 ms"));
  }
}
