package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.CallListener;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * 200 values of each kind, and 200 that only look like them, in documents and validation examples:
 * what the endpoint, the logs and all topics of the broker have of them, and that results have the
 * values again, with and without a kill -9.
 */
@Order(1)
class PersonalDataIT {

  private static final int DOCUMENTS = 200;
  private static final int EXAMPLES = 30;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String SOURCE =
      "redact: { kinds: [email, iban, card, phone], restore: true }";

  private static final String PROGRAM =
      """
      program: NAME
      sources: { mails: { topic: NAME.in, SOURCE } }
      operators:
        - map: contact
          instruction: Whom should we answer?
          reads: [text, card]
          writes: { address: { type: string } }
      results: { topic: NAME.out }
      models: [gpt-4o-mini]
      """
          .replace("SOURCE", SOURCE);

  private static final String TUNED =
      """
      program: tuned
      sources: { mails: { topic: tuned.in, SOURCE } }
      references: { teams: { topic: tuned.teams, embed: [does] } }
      operators:
        - map: contact
          instruction: Whom should we answer?
          reads: [text, card]
          writes: { address: { type: string } }
        - map: tone
          instruction: What is the tone?
          reads: [text]
          writes: { tone: { type: string, enum: [calm, angry] } }
        - topk: team
          from: teams
          query: [text]
          k: 1
          writes: team
      results: { topic: tuned.out }
      budget: { samples: 60 }
      models: [gpt-4o-mini, gpt-4o]
      judge: o4-mini
      governor: { judge: 1 }
      learning: { audit: 0.5, target: 0.9 }
      """
          .replace("SOURCE", SOURCE);

  @TempDir Path folder;

  /** Requests and responses of the endpoint. */
  private final List<CallListener.Call> calls = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private PlaneProcess worker;

  /** A document with a value of each kind, and with texts that look like them and are none. */
  private record Mail(int number, String email, String iban, String card, String phone) {

    static Mail of(int number) {
      String digits = "4%014d".formatted(number * 7_919L + 1);
      String account = "37040044%010d".formatted(number * 31L + 7);
      return new Mail(
          number,
          "person%1$d@mail%1$d.example.com".formatted(number),
          "DE%02d%s".formatted(checkDigits(account), account),
          digits + luhn(digits),
          "+49 30 %d".formatted(90_180_000 + number));
    }

    private static int checkDigits(String account) {
      BigInteger shifted = new BigInteger(account + "131400");
      return 98 - shifted.mod(BigInteger.valueOf(97)).intValue();
    }

    private static int luhn(String digits) {
      int sum = 0;
      for (int i = 0; i < digits.length(); i++) {
        int digit = Character.digit(digits.charAt(digits.length() - 1 - i), 10);
        int weighted = i % 2 == 0 ? 2 * digit : digit;
        sum += weighted / 10 + weighted % 10;
      }
      return (10 - sum % 10) % 10;
    }

    private String grouped() {
      return card.replaceAll("(\\d{4})(?=\\d)", "$1 ");
    }

    /** As they stand in the document, and without the blanks. */
    List<String> values() {
      return List.of(email, iban, card, grouped(), phone, phone.replace(" ", ""));
    }

    List<String> nearValues() {
      char last = (char) ('0' + (card.charAt(15) - '0' + 1) % 10);
      int check = Integer.parseInt(iban.substring(2, 4));
      return List.of(
          card.substring(0, 15) + last,
          "DE%02d%s".formatted(check == 98 ? 2 : check + 1, iban.substring(4)),
          "person%d@localhost".formatted(number),
          "+999 30 %d".formatted(90_180_000 + number));
    }

    /** Unlike each other, so that the endpoint can tell the documents apart. */
    private String words() {
      return IntStream.range(0, 30)
          .mapToObj(i -> "w%d".formatted((number * 7_919 + i * 104_729) % 9_973))
          .collect(Collectors.joining(" "));
    }

    String text() {
      return "Mail %d. %s. Answer %s or call %s. Charge %s, not %s, refund to %s. Seen: %s."
          .formatted(
              number,
              words(),
              email,
              phone,
              grouped(),
              email,
              iban,
              String.join(", ", nearValues()));
    }

    ObjectNode document() {
      return JsonNodeFactory.instance
          .objectNode()
          .put("id", "d" + number)
          .put("text", text())
          .put("card", Long.parseLong(card));
    }

    /** What the (simulated) model knows: it has only seen the tokens. */
    String truth() {
      ObjectNode seen = document().put("card", "[CARD_2]");
      seen.put(
          "text",
          text()
              .replace(email, "[EMAIL_1]")
              .replace(phone, "[PHONE_1]")
              .replace(grouped(), "[CARD_1]")
              .replace(iban, "[IBAN_1]"));
      ObjectNode row = JsonNodeFactory.instance.objectNode().put("id", "d" + number);
      row.set("document", seen);
      row.putObject("answers").put("address", "[EMAIL_1]").put("tone", "calm");
      return row.toString();
    }
  }

  @Test
  void valuesStayInTheTopicsOfTheirOwner() throws Exception {
    List<Mail> mails = IntStream.range(0, DOCUMENTS).mapToObj(Mail::of).toList();
    Path answers =
        Files.write(folder.resolve("answers.jsonl"), mails.stream().map(Mail::truth).toList());
    SimulatorOptions options =
        SimulatorOptions.DEFAULTS.withAnswers(answers).withLatency(Duration.ofMillis(250));
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(options, Clock.systemUTC(), calls::add)) {
      Map<String, String> settings = settings(kafka, endpoint);
      worker = PlaneProcess.worker(settings, folder.resolve("worker.log"));
      try {
        Map<String, JsonNode> undisturbed = results(kafka, "calm", mails, null);
        assertRestored(mails, undisturbed);
        Set<String> requests = requests();
        assertThat(requests).hasSizeGreaterThanOrEqualTo(DOCUMENTS); // some are repairs
        assertThat(results(kafka, "hit", mails, settings)).isEqualTo(undisturbed);
        assertThat(requests()).as("calls after the kill are those before").isEqualTo(requests);
        tune(kafka, mails);
        assertNothingIsSeen(kafka, mails);
      } finally {
        worker.close();
      }
    }
  }

  private Map<String, String> settings(LocalKafka kafka, SimulatedEndpoint endpoint) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("state.dir", folder.resolve("state").toString());
    settings.put("abacus.in.flight", "10");
    settings.put("abacus.model.endpoint", endpoint.baseUri().toString());
    settings.put("abacus.reference.embedders", "all-minilm-l6-v2,text-embedding-3-small");
    settings.put("abacus.journeys.share", "1");
    settings.put("abacus.journeys.per.minute", "100000");
    settings.put("auto.offset.reset", "earliest");
    settings.put("session.timeout.ms", "6000");
    settings.put("heartbeat.interval.ms", "1500");
    return settings;
  }

  /**
   * Runs a program and returns its results by key.
   *
   * @param killed settings of a worker that takes over after a kill -9; null for no kill
   */
  private Map<String, JsonNode> results(
      LocalKafka kafka, String name, List<Mail> mails, @Nullable Map<String, String> killed)
      throws Exception {
    Map<String, JsonNode> results = new TreeMap<>();
    boolean alive = killed == null;
    try (RunningProgram program =
            RunningProgram.open(kafka, PROGRAM.replace("NAME", name), 2, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs()) {
      for (Mail mail : mails) {
        program.send(mail.number % 2, null, "d" + mail.number, mail.document().toString());
      }
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (results.size() < mails.size()) {
        assertThat(System.nanoTime()).as("%d results", results.size()).isLessThan(deadline);
        for (ConsumerRecord<String, String> record : outputs.poll(Duration.ofMillis(100))) {
          assertThat(record.topic()).as(record.value()).endsWith(".out");
          assertThat(results.put(record.key(), JSON.readTree(record.value()))).isNull();
        }
        if (!alive && killed != null && results.size() > mails.size() / 4) {
          worker.kill();
          worker = PlaneProcess.worker(killed, folder.resolve("worker.log"));
          alive = true;
        }
      }
    }
    return results;
  }

  /** The distinct bodies of the requests for answers. */
  private Set<String> requests() {
    return calls.stream()
        .filter(call -> call.path().endsWith("/chat/completions"))
        .map(CallListener.Call::request)
        .collect(Collectors.toSet());
  }

  /** What passed through is as it was, and what the model copied is the value. */
  private static void assertRestored(List<Mail> mails, Map<String, JsonNode> results) {
    int copied = 0;
    for (Mail mail : mails) {
      JsonNode result = Objects.requireNonNull(results.get("d" + mail.number));
      assertThat(result.path("text").textValue()).isEqualTo(mail.text());
      assertThat(result.path("card").longValue()).isEqualTo(Long.parseLong(mail.card));
      copied += mail.email.equals(result.path("address").asText()) ? 1 : 0;
    }
    System.out.printf("FIGURES %d of %d SIMULATED answers copy the token%n", copied, mails.size());
    assertThat(copied).isGreaterThan(mails.size() / 4);
  }

  /** Searches a plan with examples, and runs it on documents that are judged and learnt from. */
  private void tune(LocalKafka kafka, List<Mail> mails) throws Exception {
    KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(TUNED);
    var _ = new TopicCreation(1, 1).create(connection, program);
    try (PlaneProcess _ =
            PlaneProcess.optimizer(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                folder.resolve("optimizer.log"));
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      send(producer, "tuned.teams", "t1", "{\"id\":\"t1\",\"does\":\"answers mails\"}");
      send(producer, "tuned.teams", "t2", "{\"id\":\"t2\",\"does\":\"pays refunds\"}");
      for (Mail mail : mails.subList(0, EXAMPLES)) {
        ObjectNode example = JsonNodeFactory.instance.objectNode();
        example.set("document", mail.document());
        if (mail.number % 3 > 0) {
          ObjectNode labels = example.putObject("labels");
          labels.putObject("contact").put("address", mail.email);
          labels.putObject("tone").put("tone", "calm");
        }
        send(producer, "tuned.validation", "e" + mail.number, example.toString());
      }
      new ControlTopic(connection, ModelCatalogue.builtIn())
          .write(List.of(new ControlRecord.ProgramSet(program)));
      await(() -> phase(connection).equals("FINISHED"), () -> "search is " + phase(connection));
      for (Mail mail : mails.subList(EXAMPLES, 2 * EXAMPLES)) {
        send(producer, "tuned.in", "d" + mail.number, mail.document().toString());
      }
      await(
          () ->
              size(kafka, "tuned.out") >= EXAMPLES
                  && size(kafka, "tuned.journeys") >= EXAMPLES
                  && size(kafka, "tuned.learning") > 0,
          () -> "results and journeys");
    }
  }

  private static String phase(KafkaConnection connection) {
    JsonNode search = TopicReader.status(connection).optimizer("tuned");
    return search == null ? "" : search.path("phase").asText();
  }

  private static void await(BooleanSupplier reached, Supplier<String> what) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what.get()).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
    }
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, String topic, String key, String value)
      throws Exception {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    producer.send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), bytes)).get();
  }

  private void assertNothingIsSeen(LocalKafka kafka, List<Mail> mails) throws Exception {
    List<String> values = mails.stream().flatMap(mail -> mail.values().stream()).toList();
    String requests =
        calls.stream().map(CallListener.Call::request).collect(Collectors.joining("\n"));
    assertThat(calls).anyMatch(call -> call.path().endsWith("/embeddings"));
    assertThat(requests).contains("o4-mini", "[EMAIL_1]", "[IBAN_1]", "[CARD_2]", "[PHONE_1]");
    assertThat(found(values, requests)).as("at the endpoint").isEmpty();
    for (Mail mail : mails) {
      assertThat(requests).contains(mail.nearValues());
    }
    for (String log : List.of("worker.log", "optimizer.log")) {
      assertThat(found(values, Files.readString(folder.resolve(log)))).as(log).isEmpty();
    }

    Map<String, String> topics = topics(kafka);
    assertThat(topics.get("tuned.samples")).contains("[EMAIL_1]");
    assertThat(topics.get("tuned.observations")).contains("[EMAIL_1]");
    assertThat(topics.get("tuned.journeys")).contains("[EMAIL_1]");
    assertThat(topics.get("hit.receipts")).contains("[EMAIL_1]");
    Set<String> holders = new TreeSet<>();
    topics.forEach((topic, text) -> {
      if (!found(values, text).isEmpty()) {
        holders.add(topic);
      }
    });
    System.out.println("FIGURES topics with values: " + holders);
    assertThat(holders)
        .contains("calm.in", "calm.out", "hit.in", "tuned.in", "tuned.out", "tuned.validation")
        .allMatch(topic ->
            topic.matches("(calm|hit|tuned)\\.(in|out|validation|dlq)")
                || topic.matches("abacus-(calm|hit|tuned)-.*pending-.*-changelog"));
  }

  private static List<String> found(List<String> values, String text) {
    return values.stream().filter(text::contains).toList();
  }

  private static long size(LocalKafka kafka, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(kafka)) {
      return consumer.partitionsFor(topic).stream()
          .map(info -> new TopicPartition(topic, info.partition()))
          .mapToLong(one -> Objects.requireNonNull(consumer.endOffsets(List.of(one)).get(one)))
          .sum();
    }
  }

  /** All that the broker has, aborted transactions too, by topic. */
  private static Map<String, String> topics(LocalKafka kafka) throws Exception {
    Map<String, StringBuilder> texts = new TreeMap<>();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        KafkaConsumer<byte[], byte[]> consumer = consumer(kafka)) {
      for (String topic : admin.listTopics().names().get()) {
        StringBuilder text = texts.computeIfAbsent(topic, _ -> new StringBuilder());
        List<TopicPartition> partitions =
            consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (partitions.stream()
            .anyMatch(one -> consumer.position(one) < Objects.requireNonNull(ends.get(one)))) {
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
            add(text, record.key());
            add(text, record.value());
            record.headers().forEach(header -> add(text, header.value()));
          }
        }
      }
    }
    Map<String, String> all = new TreeMap<>();
    texts.forEach((topic, text) -> all.put(topic, text.toString()));
    return all;
  }

  private static void add(StringBuilder text, byte @Nullable [] bytes) {
    if (bytes != null) {
      text.append(new String(bytes, StandardCharsets.UTF_8)).append('\n');
    }
  }

  private static KafkaConsumer<byte[], byte[]> consumer(LocalKafka kafka) {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers()),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
