package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.fault.ColdStart;
import dev.abacus.deploy.simulator.limit.RateLimit;
import dev.abacus.deploy.simulator.limit.RateLimit.Algorithm;
import dev.abacus.deploy.simulator.limit.RateLimit.RetryAfter;
import dev.abacus.deploy.simulator.provider.Provider;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Limits per minute, the account, the key and the models of an endpoint. */
class LimitsTest {

  private static final SimulatorOptions OPENAI =
      SimulatorOptions.DEFAULTS.withSpeed(Double.POSITIVE_INFINITY).like(Provider.OPENAI);
  private static final String CHAT = "/chat/completions";

  /** A clock that tests move. */
  private static final class ManualClock extends Clock {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void pass(Duration time) {
      now = now.plus(time);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
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

  private final ManualClock clock = new ManualClock();

  private static String body(String model) {
    return "{\"model\":\"" + model + "\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";
  }

  private static HttpResponse<String> call(Client client, String model) throws IOException {
    return client.post(CHAT, body(model), "Authorization", "Bearer sk-test");
  }

  private static JsonNode error(HttpResponse<String> response) {
    return RequestBuilder.parse(response.body()).path("error");
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void aTokenBucketRefillsContinuously() throws IOException {
    SimulatorOptions options =
        OPENAI.withRateLimit(RateLimit.NONE.withRequestsPerMinute(3).withModel("gpt-4.1", 100));
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options, clock);
        Client client = new Client(endpoint)) {
      HttpResponse<String> first = call(client, "gpt-4o");
      assertThat(first.statusCode()).isEqualTo(200);
      assertThat(header(first, "x-ratelimit-limit-requests")).isEqualTo("3");
      assertThat(header(first, "x-ratelimit-remaining-requests")).isEqualTo("2");
      assertThat(header(first, "x-ratelimit-reset-requests")).isEqualTo("20s");
      call(client, "gpt-4o");
      call(client, "gpt-4o");

      HttpResponse<String> refused = call(client, "gpt-4o");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(error(refused).path("code").asText()).isEqualTo("rate_limit_exceeded");
      assertThat(error(refused).path("type").asText()).isEqualTo("requests");
      assertThat(error(refused).path("message").asText())
          .contains("requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20");
      assertThat(header(refused, "Retry-After")).isIn("20", "21");
      assertThat(header(refused, "x-ratelimit-reset-requests")).isEqualTo("1m0s");
      assertThat(call(client, "gpt-4.1").statusCode()).as("another model").isEqualTo(200);

      clock.pass(Duration.ofSeconds(20).plusMillis(1));
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(200);
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(429);
      assertThat(endpoint.statistics().at("/models/gpt-4o/limited").asInt()).isEqualTo(2);
      assertThat(endpoint.statistics().at("/refusedByStatus/429").asInt()).isEqualTo(2);
    }
  }

  @Test
  void aFixedWindowStartsAgainAtItsEnd() throws IOException {
    RateLimit limit =
        RateLimit.NONE
            .withRequestsPerMinute(120)
            .withAlgorithm(Algorithm.FIXED_WINDOW)
            .withWindowMs(1000)
            .withRetryAfter(RetryAfter.NONE);
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(OPENAI.withRateLimit(limit), clock);
        Client client = new Client(endpoint)) {
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(200);
      clock.pass(Duration.ofMillis(700));
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(200);
      HttpResponse<String> refused = call(client, "gpt-4o");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).isEmpty();
      assertThat(header(refused, "x-ratelimit-reset-requests")).isEqualTo("300ms");

      clock.pass(Duration.ofMillis(300));
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(200);
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void tokensPerMinuteCountTheLongestAnswer() throws IOException {
    try (SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(
                OPENAI.withRateLimit(RateLimit.NONE.withTokensPerMinute(1000)), clock);
        Client client = new Client(endpoint)) {
      String request = body("gpt-4o").replace("}]}", "}],\"max_completion_tokens\":600}");
      HttpResponse<String> first = client.post(CHAT, request, "Authorization", "Bearer sk-test");
      HttpResponse<String> second = client.post(CHAT, request, "Authorization", "Bearer sk-test");

      assertThat(header(first, "x-ratelimit-remaining-tokens")).isEqualTo("400");
      assertThat(second.statusCode()).isEqualTo(429);
      assertThat(error(second).path("type").asText()).isEqualTo("tokens");
      assertThat(error(second).path("message").asText()).contains("Requested 600");
    }
  }

  @Test
  void azureStatesTheWaitInMilliseconds() throws IOException {
    SimulatorOptions options =
        OPENAI.withRateLimit(RateLimit.NONE.withRequestsPerMinute(1)).like(Provider.AZURE);
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options, clock);
        Client client = new Client(endpoint)) {
      call(client, "gpt-4o");
      HttpResponse<String> refused = call(client, "gpt-4o");

      assertThat(header(refused, "retry-after-ms")).isEqualTo("60001");
      assertThat(header(refused, "Retry-After")).isEqualTo("61");
      assertThat(header(refused, "x-ratelimit-reset-requests")).isEqualTo("60");
      assertThat(error(refused).path("code").asText()).isEqualTo("429");
    }
  }

  @Test
  void retryAfterCanBeADate() throws IOException {
    RateLimit limit =
        RateLimit.NONE.withRequestsPerMinute(1).withRetryAfter(RetryAfter.DATE).withHeaders(false);
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(OPENAI.withRateLimit(limit), clock);
        Client client = new Client(endpoint)) {
      call(client, "gpt-4o");
      HttpResponse<String> refused = call(client, "gpt-4o");

      assertThat(header(refused, "Retry-After")).isEqualTo("Thu, 1 Jan 2026 00:01:00 GMT");
      assertThat(refused.headers().firstValue("x-ratelimit-limit-requests")).isEmpty();
    }
  }

  @Test
  void anEmptyAccountIsRefusedUntilItIsToppedUp() throws IOException {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(OPENAI.withQuota(1e-9), clock);
        Client client = new Client(endpoint)) {
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(200);
      HttpResponse<String> refused = call(client, "gpt-4o");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(error(refused).path("code").asText()).isEqualTo("insufficient_quota");
      assertThat(refused.headers().firstValue("Retry-After")).isEmpty();

      JsonNode quota = RequestBuilder.parse(client.admin("quota", "{\"add\":1}"));
      assertThat(quota.path("usd").asDouble()).isEqualTo(1);
      assertThat(quota.path("spent").asDouble()).isPositive();
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void keyModelsAndLimitsChangeWhileTheEndpointRuns() throws IOException {
    try (SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(
                OPENAI.withApiKey("sk-test").withModels(Set.of("gpt-4o")), clock);
        Client client = new Client(endpoint)) {
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(200);
      assertThat(call(client, "gpt-4.1").statusCode()).isEqualTo(404);

      client.admin("models", "{\"add\":[\"gpt-4.1\"],\"remove\":[\"gpt-4o\"]}");
      assertThat(call(client, "gpt-4.1").statusCode()).isEqualTo(200);
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(404);
      assertThat(client.get("/models", "Authorization", "Bearer sk-test").body())
          .contains("gpt-4.1")
          .doesNotContain("gpt-4o");

      client.admin("key", "{\"key\":\"sk-other\"}");
      assertThat(call(client, "gpt-4.1").statusCode()).isEqualTo(401);
      client.admin("key", "{\"key\":\"sk-test\"}");
      assertThat(call(client, "gpt-4.1").statusCode()).isEqualTo(200);

      client.admin("limits", "{\"requestsPerMinute\":1,\"algorithm\":\"fixed-window\"}");
      assertThat(call(client, "gpt-4.1").statusCode()).isEqualTo(200);
      assertThat(call(client, "gpt-4.1").statusCode()).isEqualTo(429);
      assertThat(client.admin("limits", "{\"oops\":1}")).contains("'oops' is not a limit");
      assertThat(client.admin("limits", "{\"scope\":\"oops\"}"))
          .contains("'scope' must be one of [model, key]");
      assertThat(client.admin("limits", "{\"requestsPerMinute\":\"1\"}"))
          .contains("'requestsPerMinute' must be a double");
      assertThat(client.admin("limits", "{\"windowMs\":0}")).contains("at least 1 ms");
      assertThat(client.admin("limits", "{\"models\":{\"gpt-4o\":3}}"))
          .contains("\"algorithm\":\"fixed-window\"")
          .contains("\"models\":{\"gpt-4o\":3.0}");
    }
  }

  @Test
  void anOutageEndsAfterItsCalls() throws IOException {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(OPENAI, clock);
        Client client = new Client(endpoint)) {
      client.admin("outage", "{\"status\":502,\"calls\":2,\"models\":[\"gpt-4o\"]}");

      assertThat(call(client, "gpt-4.1").statusCode()).isEqualTo(200);
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(502);
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(502);
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aColdModelIsRefusedUntilItIsLoaded() throws IOException {
    SimulatorOptions options =
        OPENAI.withColdStart(new ColdStart.Settings(Duration.ofSeconds(30), true));
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options, clock);
        Client client = new Client(endpoint)) {
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(503);
      clock.pass(Duration.ofSeconds(30));
      assertThat(call(client, "gpt-4o").statusCode()).isEqualTo(200);
      assertThat(call(client, "gpt-4.1").statusCode()).isEqualTo(503);
    }
  }
}
