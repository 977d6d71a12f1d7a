package dev.abacus.deploy.evaluation.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.evaluation.chaos.judge.History;
import dev.abacus.deploy.evaluation.chaos.judge.History.Activation;
import dev.abacus.deploy.evaluation.chaos.judge.History.Call;
import dev.abacus.deploy.evaluation.chaos.judge.History.Copy;
import dev.abacus.deploy.evaluation.chaos.judge.History.Incident;
import dev.abacus.deploy.evaluation.chaos.judge.History.Output;
import dev.abacus.deploy.evaluation.chaos.judge.History.Plan;
import dev.abacus.deploy.evaluation.chaos.judge.History.Sent;
import dev.abacus.deploy.evaluation.chaos.judge.Shape;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.kafka.TopicRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Sends numbered documents and reads committed results, dead letters and control records with
 * Kafka's clients only. One thread calls all methods; another one sends, because a producer blocks
 * while no broker answers.
 */
final class Traffic implements AutoCloseable {

  private static final String CONTROL = "abacus.control";
  private static final String EXAMPLES = ".validation";
  private static final String REQUESTS = ".review";
  private static final Pattern PLAN = Pattern.compile("\\(plan (\\d+)\\)");
  private static final int KEYS = 40;
  private static final int GROUPS = 5;

  /** By number, so that learners can tell which filter drops a document. */
  private static final List<String> TEXTS =
      List.of(
          "Thank you, the friendly lady in your shop helped me a lot.",
          "I cannot log in, the app refuses my password and shows an error.",
          "The parcel is late.");

  /** A source with the number of its next document. */
  private static final class Source {

    private final String program;
    private final String topic;
    private int next;

    /** Documents that were sent beside those of the rate. */
    private int additional;

    Source(String program, String topic) {
      this.program = program;
      this.topic = topic;
    }
  }

  private final ObjectMapper json = new ObjectMapper();
  private final List<Source> sources = new ArrayList<>();
  private final ExecutorService sender = Executors.newSingleThreadExecutor();
  private final Producer<byte[], byte[]> producer;
  private final Consumer<byte[], byte[]> consumer;
  private final ConcurrentLinkedQueue<Sent> sent = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
  private final List<Output> outputs = new ArrayList<>();
  private final List<Plan> plans = new ArrayList<>();
  private final List<Activation> activations = new ArrayList<>();
  private final List<Copy> copies = new ArrayList<>();
  private final Map<String, Integer> taught = new TreeMap<>();
  private final long started = System.nanoTime();
  private final double rate;

  /**
   * Connects to the topics of the programs, which must exist.
   *
   * @param rate documents per second and source
   */
  Traffic(KafkaConnection connection, List<ChaosPrograms> programs, double rate) {
    this.rate = rate;
    this.producer =
        connection.producer(Map.of("delivery.timeout.ms", 600_000, "max.block.ms", 600_000));
    this.consumer =
        connection.consumer(Map.of("fetch.max.wait.ms", 100, "default.api.timeout.ms", 60_000));
    List<String> read = new ArrayList<>(List.of(CONTROL));
    for (ChaosPrograms program : programs) {
      String name = program.program();
      if (program.shape() instanceof Shape.Paired pair) {
        sources.add(new Source(name, pair.left()));
        sources.add(new Source(name, pair.right()));
      } else {
        sources.add(new Source(name, name + ".documents"));
      }
      read.addAll(List.of(name + ".results", name + ".dlq"));
      if (program.version(1).review() > 0) {
        read.addAll(List.of(name + EXAMPLES, name + REQUESTS));
      }
    }
    consumer.assign(TopicRange.partitions(consumer, read));
  }

  /** Sends the documents that are due. */
  void send() {
    long due = (long) ((System.nanoTime() - started) / 1e9 * rate);
    for (Source source : sources) {
      while (source.next < due + source.additional) {
        int number = source.next++;
        sender.execute(() -> send(source, number, "group-" + number % GROUPS));
      }
    }
  }

  /** Sends more documents to the sources of a program, each with a group of its own. */
  void sendGroups(String program, int documents, String groups) {
    for (Source source : sources) {
      for (int i = 0; i < documents && source.program.equals(program); i++) {
        int number = source.next++;
        source.additional++;
        sender.execute(() -> send(source, number, groups + number));
      }
    }
  }

  private void send(Source source, int number, String group) {
    String key = "key-" + number % KEYS;
    ObjectNode document =
        json.createObjectNode()
            .put("number", number)
            .put("group", group)
            .put(
                "text",
                "doc:%s:%d; %s"
                    .formatted(source.program, number, TEXTS.get(number % TEXTS.size())));
    long at = System.currentTimeMillis();
    var _ =
        producer.send(
            new ProducerRecord<>(source.topic, null, at, bytes(key), bytes(document.toString())),
            (metadata, failure) -> {
              if (failure == null) {
                sent.add(
                    new Sent(
                        source.program,
                        source.topic,
                        key,
                        group,
                        number,
                        metadata.partition(),
                        metadata.offset(),
                        at));
              } else {
                refused.add(source.topic + ": " + failure);
              }
            });
  }

  /** States on every partition of the sources, after all documents, that no older one follows. */
  void endEventTime() {
    sender.execute(this::sendWatermarks);
  }

  private void sendWatermarks() {
    byte[] inAnHour = bytes(String.valueOf(System.currentTimeMillis() + 3_600_000));
    for (Source source : sources) {
      for (int partition = 0; partition < ChaosOptions.PARTITIONS; partition++) {
        ProducerRecord<byte[], byte[]> watermark =
            new ProducerRecord<>(source.topic, partition, null, null);
        watermark.headers().add("abacus-watermark", inAnHour);
        var _ = producer.send(watermark);
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Reads what is committed. */
  void poll(Duration time) {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(time)) {
      if (record.topic().equals(CONTROL)) {
        control(record);
      } else if (record.topic().endsWith(EXAMPLES)) {
        copy(record, Copy.Topic.EXAMPLES, "live:");
      } else if (record.topic().endsWith(REQUESTS)) {
        copy(record, Copy.Topic.REQUESTS, "");
      } else {
        output(record);
      }
    }
  }

  private void copy(ConsumerRecord<byte[], byte[]> record, Copy.Topic topic, String prefix) {
    String key = RecordText.key(record);
    if (record.value() != null && key.startsWith(prefix)) {
      String program = record.topic().substring(0, record.topic().lastIndexOf('.'));
      copies.add(new Copy(program, topic, key.substring(prefix.length())));
    }
  }

  private void output(ConsumerRecord<byte[], byte[]> record) {
    int dot = record.topic().lastIndexOf('.');
    outputs.add(
        new Output(
            record.topic().substring(0, dot),
            record.topic().endsWith(".dlq"),
            record.partition(),
            record.offset(),
            RecordText.key(record),
            parse(record.value()),
            RecordText.epoch(record),
            RecordText.header(record, Headers.EXCEPTION)
                + ": "
                + RecordText.header(record, Headers.EXCEPTION_MESSAGE),
            System.currentTimeMillis()));
  }

  private JsonNode parse(byte @Nullable [] value) {
    try {
      return value == null ? MissingNode.getInstance() : json.readTree(value);
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  private void control(ConsumerRecord<byte[], byte[]> record) {
    String[] key = RecordText.key(record).split("/", -1);
    JsonNode value = parse(record.value());
    if (key[0].equals("active") && value.path("share").asDouble(1) == 1) {
      activations.add(new Activation(key[1], value.path("epoch").asLong(), record.timestamp()));
    } else if (key[0].equals("plan") && value.isObject()) {
      plans.add(plan(key[1], Long.parseLong(key[2]), value));
      if (value.has("learned")) {
        taught.merge("classifiers of " + key[1], 1, Integer::sum);
      }
      for (JsonNode order : value.path("orders")) {
        taught.merge(
            (order.hasNonNull("predicted") ? "orders of " : "audited orders of ") + key[1],
            1,
            Integer::sum);
      }
    }
  }

  private static Plan plan(String program, long epoch, JsonNode value) {
    Map<String, String> models = new HashMap<>();
    for (JsonNode step : value.path("plan").path("operators")) {
      JsonNode physical = step.path("physical");
      if (physical.path("technique").asText().equals("model-selection")) {
        // The endpoint names a model without its tier.
        String model = physical.path("model").asText().replaceFirst("@.*", "");
        models.put(step.path("logical").asText(), model);
      }
    }
    Map<String, Plan.Step> steps = new HashMap<>();
    for (JsonNode operator : value.path("logical")) {
      Matcher marker = PLAN.matcher(operator.toString());
      String id = operator.path("map").asText();
      steps.put(
          id, new Plan.Step(marker.find() ? Integer.parseInt(marker.group(1)) : 0, models.get(id)));
    }
    return new Plan(program, epoch, steps);
  }

  /** What was observed so far, with the calls of models and what was done to the cluster. */
  History history(List<Call> calls, List<Incident> incidents) {
    return new History(List.copyOf(sent), outputs, calls, plans, activations, copies, incidents);
  }

  /** Documents that the brokers did not take. */
  List<String> refused() {
    return List.copyOf(refused);
  }

  /** Number of plans by what live documents taught. */
  Map<String, Integer> taught() {
    return taught;
  }

  @Override
  public void close() {
    sender.shutdownNow();
    producer.close(Duration.ofSeconds(5));
    consumer.close();
  }
}
