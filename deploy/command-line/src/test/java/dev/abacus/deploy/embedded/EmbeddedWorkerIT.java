package dev.abacus.deploy.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.embedded.EmbeddedWorker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application of docs/java.md on a broker; plans come by control records. */
class EmbeddedWorkerIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int DOCUMENTS = 20;

  /** A simulated filter keeps about half of the documents that it does not know. */
  private static final int KEPT = 4;

  @TempDir Path folder;

  private LocalKafka kafka;
  private KafkaProducer<byte[], byte[]> producer;
  private KafkaConsumer<String, String> results;

  @BeforeEach
  void start() throws Exception {
    kafka = LocalKafka.start();
    Map<String, Object> client = new HashMap<>();
    client.put("bootstrap.servers", kafka.bootstrapServers());
    try (Admin admin = Admin.create(client)) {
      List<TopicSpec> topics = new ArrayList<>(TopicSpec.shared(KafkaNames.UNPREFIXED));
      topics.add(new TopicSpec("mail.in", 2, Map.of()));
      topics.add(new TopicSpec("mail.out", 2, Map.of()));
      TopicSetup.ensure(admin, topics, (short) 1);
    }
    producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
    client.putAll(
        Map.of(
            "group.id",
            "reader",
            "isolation.level",
            "read_committed",
            "auto.offset.reset",
            "earliest"));
    results = new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer());
    results.subscribe(List.of("mail.out"));
  }

  @AfterEach
  void stop() {
    results.close();
    producer.close();
    kafka.close();
  }

  @Test
  void documentsFlowThroughTheProgramAndANewPlanAppliesWithoutARestart() throws Exception {
    CountDownLatch stop = new CountDownLatch(1);
    try (SimulatedEndpoint endpoint =
        SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withSpeed(50))) {
      Thread application =
          Thread.startVirtualThread(() -> {
            try {
              TriageApplication.run(
                  kafka.bootstrapServers(), endpoint.baseUri().toString(), folder.toString(), stop);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      activate(1, "gpt-4o");
      send("first");
      assertThat(results("first"))
          .allSatisfy(record -> {
            assertThat(header(record, Headers.PLAN_EPOCH)).isEqualTo("1");
            assertThat(header(record, "traceparent")).startsWith("00-");
            assertThat(record.value()).contains("intent", "urgency");
          });
      activate(2, "gpt-4o-mini");
      send("second");
      assertThat(results("second"))
          .anySatisfy(record -> assertThat(header(record, Headers.PLAN_EPOCH)).isEqualTo("2"));
      anotherInstanceWritesNoSecondProgram(endpoint);
      stop.countDown();
      application.join();
    }
  }

  /** Writing an equal program would release a plan that is held. */
  private void anotherInstanceWritesNoSecondProgram(SimulatedEndpoint endpoint)
      throws InterruptedException {
    Map<String, String> settings =
        Map.of(
            "bootstrap.servers", kafka.bootstrapServers(),
            "abacus.instance.id", "another",
            "abacus.model.endpoint", endpoint.baseUri().toString(),
            "state.dir", folder.resolve("another").toString());
    EmbeddedWorker.start(settings, 2, TriageApplication.triage()).close();
    TopicPartition control = new TopicPartition("abacus.control", 0);
    results.unsubscribe();
    results.assign(List.of(control));
    results.seekToBeginning(List.of(control));
    long end = results.endOffsets(List.of(control)).getOrDefault(control, 0L);
    int programs = 0;
    while (results.position(control) < end) {
      for (ConsumerRecord<String, String> record : results.poll(Duration.ofMillis(50))) {
        programs += "program/support-triage".equals(record.key()) ? 1 : 0;
      }
    }
    assertThat(programs).isEqualTo(1);
  }

  private void activate(long epoch, String model) throws Exception {
    Program program = TriageApplication.triage();
    List<PlanStep> steps =
        program.operators().stream()
            .map(operator ->
                new PlanStep(
                    operator, operator.isSemantic() ? new ModelSelection(model) : new Relational()))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(1, 0, 0));
    for (ControlRecord record :
        List.of(
            new ControlRecord.PlanPublished(
                new PhysicalPlan(program.name(), epoch, choice, program.objective(), List.of())),
            new ControlRecord.Activated(program.name(), epoch, 1, "test", "test"))) {
      producer
          .send(
              new ProducerRecord<>(
                  KafkaNames.UNPREFIXED.control(),
                  bytes(record.key().path()),
                  ControlCodec.encode(record)))
          .get();
    }
  }

  private void send(String wave) throws Exception {
    for (int i = 0; i < DOCUMENTS; i++) {
      String id = wave + "-" + i;
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(
              "mail.in",
              bytes(id),
              bytes("{\"id\":\"%s\",\"text\":\"Message %s.\"}".formatted(id, id)));
      record
          .headers()
          .add("traceparent", bytes("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
      producer.send(record).get();
    }
  }

  private List<ConsumerRecord<String, String>> results(String wave) {
    List<ConsumerRecord<String, String>> read = new ArrayList<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (read.size() < KEPT) {
      assertThat(System.nanoTime()).as("%s results", read.size()).isLessThan(deadline);
      for (ConsumerRecord<String, String> record : results.poll(Duration.ofMillis(50))) {
        if (record.key().startsWith(wave)) {
          read.add(record);
        }
      }
    }
    assertThat(read).extracting(ConsumerRecord::key).doesNotHaveDuplicates();
    return read;
  }

  private static String header(ConsumerRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
