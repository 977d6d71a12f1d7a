package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedOutputStream;
import dev.abacus.deploy.cli.Run;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.local.LocalRegistry;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents in Protobuf, with the schema and one that it imports in a real registry. */
class ProtobufDocumentsIT {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String PERSON =
      """
      syntax = "proto3";
      package mail;
      message Person { string name = 1; }
      """;

  private static final String MAIL =
      """
      syntax = "proto3";
      package mail;
      import "mail/person.proto";
      message Receipt { string id = 1; }
      message Mail { string id = 1; Person sender = 2; int64 cents = 3; bytes page = 4; }
      """;

  private static final String PROGRAM =
      """
      program: mails
      sources: { mails: { topic: mails.in, format: protobuf, files: [page] } }
      operators:
        - map: topic
          instruction: What is the page about?
          reads: [page]
          writes: { topic: { type: string } }
        - project: [id, sender, cents, page]
      results: { topic: mails.out }
      models: [gpt-4o-mini]
      """;

  @TempDir Path folder;

  @Test
  void messagesAreDocumentsAndOtherBytesAreDeadLetters() throws Exception {
    assumeTrue(LocalRegistry.isInstalled(), "skipped: there is no schema registry in target");
    try (LocalKafka kafka = LocalKafka.start();
        LocalRegistry registry = LocalRegistry.start(0, null);
        SimulatedEndpoint endpoint = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 1, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs();
        Worker _ = worker(kafka, registry, endpoint)) {
      register(registry, "mail-person", PERSON, null);
      int id = register(registry, "mails.in-value", MAIL, "mail-person");
      program.sendRaw(Map.of("m1", mail(id), "bad", new byte[] {0, 0, 0, 0}));

      Map<String, ConsumerRecord<String, String>> answers = RunningProgram.byKey(outputs, 2);
      assertThat(answers.get("m1").value())
          .isEqualTo(
              "{\"id\":\"m1\",\"sender\":{\"name\":\"Ann\"},\"cents\":900,\"page\":\"The lift is broken.\"}");
      assertThat(answers.get("bad").topic()).isEqualTo("mails.dlq");
      Run list =
          Run.of(
              "dlq", "list", "mails", "-o", "json", "--bootstrap-server", kafka.bootstrapServers());
      JsonNode letter = JSON.readTree(list.out()).path(0);
      assertThat(letter.path("key").asText()).as(list.err()).isEqualTo("bad");
      assertThat(letter.path("source").asText()).matches("mails\\.in-0@[01]");
    }
  }

  private Worker worker(LocalKafka kafka, LocalRegistry registry, SimulatedEndpoint endpoint)
      throws InterruptedException {
    return RunningProgram.worker(
        kafka,
        endpoint,
        folder.resolve("state"),
        Map.of(WorkerConfig.REGISTRY_URL, registry.url()));
  }

  private static int register(
      LocalRegistry registry, String subject, String schema, @Nullable String person)
      throws Exception {
    ObjectNode body = JSON.createObjectNode().put("schemaType", "PROTOBUF").put("schema", schema);
    if (person != null) {
      body.putArray("references")
          .addObject()
          .put("name", "mail/person.proto")
          .put("subject", person)
          .put("version", 1);
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(registry.url() + "/subjects/" + subject + "/versions"))
            .header("Content-Type", "application/vnd.schemaregistry.v1+json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      String answer = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      JsonNode id = JSON.readTree(answer).path("id");
      assertThat(id.isInt()).as(answer).isTrue();
      return id.intValue();
    }
  }

  /** Confluent's wire format: the second message type of the file. */
  private static byte[] mail(int schema) throws IOException {
    ByteArrayOutputStream person = new ByteArrayOutputStream();
    CodedOutputStream ann = CodedOutputStream.newInstance(person);
    ann.writeString(1, "Ann");
    ann.flush();
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    new DataOutputStream(value).writeByte(0);
    new DataOutputStream(value).writeInt(schema);
    CodedOutputStream out = CodedOutputStream.newInstance(value);
    out.writeSInt32NoTag(1);
    out.writeSInt32NoTag(1);
    out.writeString(1, "m1");
    out.writeByteArray(2, person.toByteArray());
    out.writeInt64(3, 900);
    out.writeByteArray(4, "<html><body><p>The lift is broken.".getBytes(StandardCharsets.UTF_8));
    out.flush();
    return value.toByteArray();
  }
}
