package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.fault.FaultRates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Fault injection, keys, latency and statistics. */
class FaultsTest {

  private static final SimulatorOptions FAST =
      SimulatorOptions.DEFAULTS.withSpeed(Double.POSITIVE_INFINITY);

  private static String body(int number) {
    return RequestBuilder.map("gpt-4o", RequestBuilder.UNITS)
        .about("Text number " + number + ".")
        .json()
        .toString();
  }

  private static JsonNode simulator(SimulatedEndpoint endpoint, String path, String body)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create(endpoint.baseUri() + "/../simulator/" + path).normalize());
    HttpRequest made =
        body.isEmpty()
            ? request.build()
            : request.POST(HttpRequest.BodyPublishers.ofString(body)).build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return RequestBuilder.parse(http.send(made, HttpResponse.BodyHandlers.ofString()).body());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void faultsOccurAtTheirRates() throws IOException {
    try (SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(FAST.withFaults(FaultRates.parse("429=0.1,500=0.05")));
        Client client = new Client(endpoint)) {
      int limited = 0;
      int failed = 0;
      for (int i = 0; i < 1000; i++) {
        HttpResponse<String> response = client.post("/chat/completions", body(i));
        limited += response.statusCode() == 429 ? 1 : 0;
        failed += response.statusCode() == 500 ? 1 : 0;
        assertThat(response.headers().firstValue("Retry-After").isPresent())
            .isEqualTo(response.statusCode() == 429);
        assertThat(response.headers().firstValue("x-abacus-simulated")).hasValue("true");
      }

      assertThat(limited).isBetween(70, 130);
      assertThat(failed).isBetween(28, 72);
      JsonNode stats = simulator(endpoint, "stats", "");
      assertThat(stats.path("faults").path("429").asInt()).isEqualTo(limited);
      assertThat(stats.path("faults").path("500").asInt()).isEqualTo(failed);
      assertThat(stats.path("models").path("gpt-4o").path("calls").asInt()).isEqualTo(1000);
    }
  }

  @Test
  void aCutConnectionIsAConnectionError() throws IOException {
    try (SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(FAST.withFaults(FaultRates.parse("cut=1")));
        Client client = new Client(endpoint)) {
      assertThatIOException().isThrownBy(() -> client.post("/chat/completions", body(1)));
    }
  }

  @Test
  void aMalformedBodyIsNotJson() throws IOException {
    try (SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(FAST.withFaults(FaultRates.parse("malformed=1")));
        Client client = new Client(endpoint)) {
      HttpResponse<String> response = client.post("/chat/completions", body(1));

      assertThat(response.statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> RequestBuilder.parse(response.body()))
          .hasRootCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void aStalledCallWaitsAndIsThenCut() throws IOException {
    SimulatorOptions options =
        FAST.withFaults(FaultRates.parse("stall=1")).withStall(Duration.ofMillis(300));
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options);
        Client client = new Client(endpoint)) {
      long began = System.nanoTime();

      assertThatIOException().isThrownBy(() -> client.post("/chat/completions", body(1)));
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(250));
    }
  }

  @Test
  void faultRatesCanBeChangedAtRunTimeAndPerModel() throws IOException {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(FAST);
        Client client = new Client(endpoint)) {
      assertThat(client.post("/chat/completions", body(1)).statusCode()).isEqualTo(200);

      simulator(endpoint, "faults", "{\"429\":0,\"gpt-4o\":{\"500\":1.0}}");

      assertThat(client.post("/chat/completions", body(1)).statusCode()).isEqualTo(500);
      String other = body(1).replace("gpt-4o", "gpt-5");
      assertThat(client.post("/chat/completions", other).statusCode()).isEqualTo(200);
      assertThat(
              simulator(endpoint, "faults", "{\"oops\":1}").path("error").path("message").asText())
          .contains("oops");
    }
  }

  @Test
  void aKeyCanBeRequired() throws IOException {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(FAST.withApiKey("sesame"));
        Client client = new Client(endpoint)) {
      assertThat(client.post("/chat/completions", body(1)).statusCode()).isEqualTo(401);
      assertThat(
              client
                  .post("/chat/completions", body(1), "Authorization", "Bearer wrong")
                  .statusCode())
          .isEqualTo(401);
      assertThat(
              client
                  .post("/chat/completions", body(1), "Authorization", "Bearer sesame")
                  .statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void repeatedRequestsAreCounted() throws IOException {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(FAST);
        Client client = new Client(endpoint)) {
      for (int number : new int[] {1, 2, 1, 1, 3}) {
        client.post("/chat/completions", body(number));
      }
      JsonNode stats = simulator(endpoint, "stats", "");

      assertThat(stats.path("calls").asInt()).isEqualTo(5);
      assertThat(stats.path("distinctRequests").asInt()).isEqualTo(3);
      assertThat(stats.path("repeatedRequests").asInt()).isEqualTo(2);
      assertThat(stats.path("models").path("gpt-4o").path("promptTokens").asInt()).isPositive();
    }
  }

  @Test
  void latencyFollowsTheModelOrIsFixed() throws IOException {
    try (SimulatedEndpoint modelled = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        SimulatedEndpoint fixed =
            SimulatedEndpoint.start(
                SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(200)).withSpeed(2));
        Client slow = new Client(modelled);
        Client quick = new Client(fixed)) {
      quick.post("/chat/completions", body(0));

      assertThat(millis(slow, 1)).isGreaterThanOrEqualTo(400L);
      assertThat(millis(quick, 1)).isGreaterThanOrEqualTo(95L);
    }
  }

  private static long millis(Client client, int number) throws IOException {
    long began = System.nanoTime();
    client.post("/chat/completions", body(number));
    return Duration.ofNanos(System.nanoTime() - began).toMillis();
  }
}
