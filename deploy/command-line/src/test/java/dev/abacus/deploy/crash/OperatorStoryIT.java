package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.KafkaNames;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an operator reads in the logs and sees in the metrics and health pages of a worker and an
 * optimizer, each in a JVM of its own, while plans change, a control record is refused, and the
 * broker goes and comes back.
 */
class OperatorStoryIT {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration POLL = Duration.ofMillis(100);

  private static final String PROGRAM =
      """
      program: story
      sources: { messages: { topic: story.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: story.out }
      models: [gpt-4o-mini]
      """;

  /** The last label and the end of the labels of most metrics. */
  private static final String OF = "program=\"story\"}";

  @TempDir Path folder;

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void theLogsMetricsAndHealthTellWhatHappens() throws Exception {
    LocalKafka kafka = LocalKafka.start(0, folder.resolve("kafka"));
    String servers = kafka.bootstrapServers();
    int port = Integer.parseInt(servers.substring(servers.indexOf(':') + 1));
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 2, Map.of());
        PlaneProcess worker = worker(servers, endpoint);
        PlaneProcess optimizer = optimizer(servers)) {
      awaitWorker("Worker one started");
      awaitWorker("INFO  ProgramRunner [program=story] Program 'story' started: [story.in]");
      awaitWorker("Plan of epoch 1 is active for all of the new documents of 'story', by test");
      awaitWorker("gained partitions: [story.in-0, story.in-1]");
      awaitOptimizer("This optimizer leads");
      awaitOptimizer("Search for 'story' is WAITING_FOR_EXAMPLES");

      String workerUrl = url("worker");
      String optimizerUrl = url("optimizer");
      program.send(0, null, "key", "{\"text\":\"A text.\"}");
      awaitPage(
          workerUrl + "/metrics", 200, "abacus_documents_total{outcome=\"result\"," + OF + " 1.0");
      awaitPage(workerUrl + "/metrics", 200, "abacus_calls_in_flight{model=\"gpt-4o-mini\"} 0.0");
      String metrics = page(workerUrl + "/metrics").body();
      assertThat(metrics)
          .contains("abacus_calls_total{model=\"gpt-4o-mini\",outcome=\"answered\"} 1.0")
          .contains("abacus_operator_latency_seconds_count{operator=\"topic\"," + OF + " 1")
          .contains("abacus_plan_epoch{" + OF + " 1.0")
          .contains("abacus_program_state{" + OF.replace("}", ",state=\"RUNNING\"}") + " 1.0")
          .contains("abacus_kafka_available 1.0")
          .contains("kind=\"input\"," + OF.replace("}", ",work=\"live\"}"));
      awaitPage(workerUrl + "/metrics", 200, "abacus_lag_documents{" + OF + " 0.0");
      assertThat(page(optimizerUrl + "/metrics").body())
          .contains("abacus_optimizer_leads 1.0")
          .contains("abacus_search_phase{phase=\"WAITING_FOR_EXAMPLES\"," + OF + " 1.0");
      for (String url : List.of(workerUrl, optimizerUrl)) {
        assertThat(page(url + "/health/live").statusCode()).isEqualTo(200);
        awaitPage(url + "/health/ready", 200, "\"part\":\"kafka\",\"state\":\"UP\"");
      }

      assertThat(log("worker"))
          .as("the settings of Kafka Streams cause no warning")
          .doesNotContain("WARN  StreamsConfig");

      activate(servers);
      awaitWorker("for 25.0 % of the new documents of 'story', by me: a second try");
      refuse(servers);
      awaitWorker("skips the record at abacus.control-0@");
      awaitOptimizer("Record 'objective/story' at abacus.control-0@");

      kafka.close();
      awaitWorker("Kafka does not answer");
      awaitOptimizer("Kafka does not answer");
      for (String url : List.of(workerUrl, optimizerUrl)) {
        assertThat(page(url + "/health/live").statusCode()).isEqualTo(200);
        awaitPage(url + "/health/ready", 503, "\"part\":\"kafka\",\"state\":\"DOWN\"");
        assertThat(page(url + "/metrics").body()).contains("abacus_kafka_available 0.0");
      }
      kafka = LocalKafka.start(port, folder.resolve("kafka"));
      awaitWorker("Kafka answers again after ");
      awaitOptimizer("Kafka answers again after ");
      awaitPage(workerUrl + "/health/ready", 200, "\"state\":\"UP\"");
      awaitPage(optimizerUrl + "/health/ready", 200, "\"state\":\"UP\"");

      assertThat(worker.terminate()).as("exit code of the worker").isZero();
      assertThat(optimizer.terminate()).as("exit code of the optimizer").isZero();
      assertThat(log("worker")).contains("Worker one stops");
      assertThat(program).isNotNull();
    } finally {
      kafka.close();
    }
    for (JsonNode line : jsonLines()) {
      assertThat(line.path("level").asText()).as("%s", line).matches("INFO|WARN|ERROR");
      assertThat(line.has("formattedMessage")).as("%s", line).isTrue();
    }
    assertThat(jsonLines()).anyMatch(line -> line.at("/mdc/program").asText().equals("story"));
    assertThat(log("worker").lines())
        .as("only the product speaks at INFO")
        .noneMatch(line -> line.contains(" INFO  ") && line.contains("StreamThread "));
  }

  private PlaneProcess worker(String servers, SimulatedEndpoint endpoint) throws IOException {
    return PlaneProcess.command(
        List.of(
            "worker",
            "--bootstrap-server",
            servers,
            "--data",
            folder.resolve("state").toString(),
            "--instance",
            "one",
            "--model-endpoint",
            endpoint.baseUri().toString(),
            "-X",
            "auto.offset.reset=earliest",
            "-X",
            "abacus.http.listener=127.0.0.1:0"),
        folder.resolve("worker.log"));
  }

  private PlaneProcess optimizer(String servers) throws IOException {
    return PlaneProcess.command(
        List.of(
            "--log-format",
            "json",
            "optimizer",
            "--bootstrap-server",
            servers,
            "-X",
            "optimizer.http.listener=127.0.0.1:0",
            "-X",
            "optimizer.stream.examples=0"),
        folder.resolve("optimizer.log"));
  }

  private static void activate(String servers) throws Exception {
    ControlRecord record = new ControlRecord.Activated("story", 1, 0.25, "a second try", "me");
    send(servers, record.key().path(), ControlCodec.encode(record));
  }

  private static void refuse(String servers) throws Exception {
    send(servers, "objective/story", "best\nINFO forged".getBytes(StandardCharsets.UTF_8));
  }

  private static void send(String servers, String key, byte[] value) throws Exception {
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers),
            new StringSerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(KafkaNames.UNPREFIXED.control(), key, value)).get();
    }
  }

  private String url(String process) throws Exception {
    await(process, "Metrics and health at http://");
    Matcher url = Pattern.compile("Metrics and health at (http://[0-9.:]+)").matcher(log(process));
    assertThat(url.find()).isTrue();
    return url.group(1);
  }

  private HttpResponse<String> page(String url) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private void awaitPage(String url, int status, String text) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    HttpResponse<String> page = page(url);
    while (page.statusCode() != status || !page.body().contains(text)) {
      assertThat(System.nanoTime())
          .as("%d and '%s' at %s: %d%n%s", status, text, url, page.statusCode(), page.body())
          .isLessThan(deadline);
      LockSupport.parkNanos(POLL.toNanos());
      page = page(url);
    }
  }

  private void awaitWorker(String text) throws Exception {
    await("worker", text);
  }

  private void awaitOptimizer(String text) throws Exception {
    await("optimizer", text);
  }

  private void await(String process, String text) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!log(process).contains(text)) {
      assertThat(System.nanoTime())
          .as("'%s' in the log of the %s:%n%s", text, process, log(process))
          .isLessThan(deadline);
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private String log(String process) throws IOException {
    // JSON may escape slashes.
    return Files.readString(folder.resolve(process + ".log")).replace("\\/", "/");
  }

  private List<JsonNode> jsonLines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : log("optimizer").lines().filter(text -> text.startsWith("{")).toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }
}
