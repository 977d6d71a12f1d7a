package dev.abacus.schemas.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class MonitorServerTest {

  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void servesMetricsInTheFormatOfPrometheus() throws Exception {
    LatencyHistogram latency = new LatencyHistogram();
    latency.add(0.3);
    latency.add(200);
    String text =
        serve(
                samples -> {
                  samples.add(Metric.DOCUMENTS, 2, "p", "result");
                  samples.add(Metric.DOCUMENTS, 1, "p", "result");
                  samples.add(Metric.KAFKA_AVAILABLE, true);
                  samples.add(Metric.OPERATOR_LATENCY, latency, "p", "map");
                },
                new Health.Builder().build(),
                "/metrics")
            .body();

    assertThat(text)
        .contains("# TYPE abacus_documents_total counter")
        .contains("abacus_documents_total{outcome=\"result\",program=\"p\"} 3.0")
        .contains("abacus_kafka_available 1.0")
        .contains(
            "abacus_operator_latency_seconds_bucket{operator=\"map\",program=\"p\",le=\"0.5\"} 1")
        .contains(
            "abacus_operator_latency_seconds_bucket{operator=\"map\",program=\"p\",le=\"+Inf\"} 2")
        .contains("abacus_operator_latency_seconds_sum{operator=\"map\",program=\"p\"} 200.3")
        .contains("jvm_memory_used_bytes")
        .contains("process_uptime_seconds");
  }

  @Test
  void aDegradedPartLeavesTheProcessReadyAndTheBodySaysSo() throws Exception {
    Health degraded =
        new Health.Builder().up("kafka").add("model m", Health.State.DEGRADED, "is away").build();

    HttpResponse<String> ready = serve(_ -> {}, degraded, "/health/ready");

    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(ready.body())
        .contains("\"state\":\"DEGRADED\"")
        .contains("\"part\":\"model m\"")
        .contains("is away");
  }

  @Test
  void aPartThatCannotWorkMakesTheProcessUnreadyButLive() throws Exception {
    Health down = new Health.Builder().add("kafka", Health.State.DOWN, "is away").build();

    assertThat(serve(_ -> {}, down, "/health/ready").statusCode()).isEqualTo(503);
    assertThat(serve(_ -> {}, down, "/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void aFailedPartMakesTheProcessNotLive() throws Exception {
    Health failed = new Health.Builder().add("loop", Health.State.FAILED, "ended").build();

    assertThat(serve(_ -> {}, failed, "/health/live").statusCode()).isEqualTo(503);
    assertThat(serve(_ -> {}, failed, "/health/ready").statusCode()).isEqualTo(503);
  }

  @Test
  void aPortInUseIsASettingThatIsRefused() {
    try (MonitorServer first = Objects.requireNonNull(MonitorServer.open(ANY))) {
      assertThatThrownBy(() -> MonitorServer.open(HttpListener.parse("127.0.0.1:" + first.port())))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("cannot listen on");
    }
  }

  @Test
  void listenersAreHostAndPort() {
    assertThat(HttpListener.parse("")).isNull();
    assertThat(HttpListener.parse("[::1]:9464")).hasToString("/[0:0:0:0:0:0:0:1]:9464");
    assertThatThrownBy(() -> HttpListener.VALIDATOR.ensureValid("abacus.http.listener", "9464"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected HOST:PORT");
    assertThatThrownBy(() -> HttpListener.VALIDATOR.ensureValid("x", "localhost:99999"))
        .isInstanceOf(ConfigException.class);
  }

  private static HttpResponse<String> serve(
      Consumer<MetricSamples> metrics, Health health, String path)
      throws IOException, InterruptedException {
    try (MonitorServer server = Objects.requireNonNull(MonitorServer.open(ANY));
        HttpClient http = HttpClient.newHttpClient()) {
      server.serve(metrics, () -> health);
      return http.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
