package dev.abacus.topology.model.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.RateLimits;
import dev.abacus.topology.model.RateLimits.Budget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rate limits that responses state. The headers are those of real providers. */
class RateLimitsTest {

  private static final ModelCard CARD = ModelCard.chat("m").contextTokens(1000).build();

  private final StubEndpoint endpoint = new StubEndpoint();
  private final List<RateLimits> reported = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    endpoint.close();
  }

  private ModelAnswer call(int status, String body, String... headers) throws InterruptedException {
    endpoint.will(StubEndpoint.respond(status, body, headers));
    return provider()
        .chatClient(CARD)
        .call(ModelRequest.of("m", "rules", List.of(new Content.Text("words")), null));
  }

  private OpenAiProvider provider() {
    return new OpenAiProvider(
        new Endpoints(endpoint.url(), null, Map.<String, String>of()::get),
        (card, limits) -> {
          assertThat(card).isEqualTo(CARD);
          reported.add(limits);
        });
  }

  private ModelFailure refused(String... headers) throws InterruptedException {
    ModelFailure failure = call(429, "{\"error\": {\"message\": \"slow\"}}", headers).failure();
    assertThat(failure).isInstanceOf(ModelFailure.RateLimited.class);
    return Objects.requireNonNull(failure);
  }

  @Test
  void anAnswerAndARefusalReportTheLimitsOfOpenAi() throws InterruptedException {
    String[] headers = {
      "x-ratelimit-limit-requests", "60",
      "x-ratelimit-remaining-requests", "59",
      "x-ratelimit-reset-requests", "1s",
      "x-ratelimit-limit-tokens", "150000",
      "x-ratelimit-remaining-tokens", "149984",
      "x-ratelimit-reset-tokens", "6ms"
    };
    call(200, "{\"choices\": [{\"message\": {\"content\": \"a\"}}]}", headers);
    refused(headers);
    RateLimits limits =
        new RateLimits(
            new Budget(60L, 59L, Duration.ofSeconds(1)),
            new Budget(150_000L, 149_984L, Duration.ofMillis(6)));
    assertThat(reported).containsExactly(limits, limits);
  }

  @Test
  void aResponseWithoutLimitsReportsNone() throws InterruptedException {
    refused("Retry-After", "2");
    assertThat(reported).isEmpty();
  }

  @Test
  void unlimitedBudgetsOfAzureStateNothing() throws InterruptedException {
    refused(
        "x-ratelimit-limit-tokens", "-1",
        "x-ratelimit-remaining-tokens", "-1",
        "x-ratelimit-reset-tokens", "0");
    assertThat(reported).isEmpty();
  }

  @Test
  void azureStatesOnlyTheRest() throws InterruptedException {
    refused("x-ratelimit-remaining-requests", "79", "x-ratelimit-remaining-tokens", "61353");
    assertThat(reported)
        .containsExactly(
            new RateLimits(new Budget(null, 79L, null), new Budget(null, 61_353L, null)));
  }

  @Test
  void togetherStatesRequestsWithoutSuffixAndTokensByThemselves() throws InterruptedException {
    refused(
        "x-ratelimit-limit", "10",
        "x-ratelimit-remaining", "0",
        "x-ratelimit-reset", "0.5",
        "x-tokenlimit-limit", "3000",
        "x-tokenlimit-remaining", "2900");
    assertThat(reported)
        .containsExactly(
            new RateLimits(
                new Budget(10L, 0L, Duration.ofMillis(500)), new Budget(3000L, 2900L, null)));
  }

  @Test
  void aLimitOfADayIsNotOneOfAMinute() throws InterruptedException {
    ModelFailure failure =
        refused(
            "x-ratelimit-limit-requests", "14400",
            "x-ratelimit-remaining-requests", "0",
            "x-ratelimit-reset-requests", "2m59.56s");
    assertThat(reported)
        .containsExactly(new RateLimits(new Budget(null, 0L, Duration.ofMillis(179_560)), null));
    assertThat(failure.retryAfter()).isEqualTo(Duration.ofMillis(179_560));
  }

  @ParameterizedTest
  @CsvSource({
    "1s, 1000",
    "6m0s, 360000",
    "1h2m3.5s, 3723500",
    "120ms, 120",
    "7.66s, 7660",
    "1d, 86400000",
    "12, 12000",
    "0.25, 250",
    "never, "
  })
  void theResetOfAnEmptyBudgetIsThePause(String reset, @Nullable Long millis)
      throws InterruptedException {
    ModelFailure failure =
        refused("x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", reset);
    assertThat(failure.retryAfter()).isEqualTo(millis == null ? null : Duration.ofMillis(millis));
  }

  @Test
  void aResetMayBeAPointInTime() throws InterruptedException {
    Instant then = Instant.now().plusSeconds(100);
    for (String reset :
        List.of(
            "" + then.getEpochSecond(),
            "" + then.toEpochMilli(),
            then.toString(),
            then.toString().replace("Z", "+00:00"))) {
      ModelFailure failure =
          refused(
              "anthropic-ratelimit-requests-remaining",
              "0",
              "anthropic-ratelimit-requests-reset",
              reset);
      assertThat(failure.retryAfter())
          .as(reset)
          .isBetween(Duration.ofSeconds(70), Duration.ofSeconds(100));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Fri, 31 Dec 9999 23:59:59 GMT",
        "999999999",
        "999999999h",
        "999999999d999999999d"
      })
  void aPauseOfYearsIsADay(String pause) throws InterruptedException {
    assertThat(refused("Retry-After", pause).retryAfter()).isEqualTo(Duration.ofDays(1));
  }

  @Test
  void thePauseIsThatOfTheBudgetWithNothingRemaining() throws InterruptedException {
    ModelFailure failure =
        refused(
            "x-ratelimit-remaining-requests", "0",
            "x-ratelimit-reset-requests", "3s",
            "x-ratelimit-remaining-tokens", "500",
            "x-ratelimit-reset-tokens", "50s");
    assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void olderAzureDeploymentsStateOnlyAReset() throws InterruptedException {
    assertThat(refused("x-rate-limit-reset-tokens", "55").retryAfter())
        .isEqualTo(Duration.ofSeconds(55));
  }

  @Test
  void theModelsOfAnEndpointAreListed() throws InterruptedException {
    endpoint.will(
        StubEndpoint.respond(200, "{\"data\": [{\"id\": \"a\"}, {\"id\": \"b\"}]}"),
        StubEndpoint.respond(200, "[{\"id\": \"c\"}]"),
        StubEndpoint.respond(404, "{\"detail\": \"Not Found\"}"),
        StubEndpoint.respond(200, "<html>"));
    assertThat(provider().served(CARD)).containsExactlyInAnyOrder("a", "b");
    assertThat(provider().served(CARD)).containsExactly("c");
    assertThat(provider().served(CARD)).isNull();
    assertThat(provider().served(CARD)).isNull();
    assertThat(endpoint.received.getFirst().path()).isEqualTo("/v1/models");
  }
}
