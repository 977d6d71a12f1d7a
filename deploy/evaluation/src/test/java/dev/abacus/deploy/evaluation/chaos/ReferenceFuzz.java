package dev.abacus.deploy.evaluation.chaos;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.TopKSearch;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Mutants on the topic of a reference and on that of its embedded items, with good items between
 * them. Every record is embedded or becomes a dead letter, and each good item is found.
 */
final class ReferenceFuzz {

  private static final String ITEMS = "lookup.items";
  private static final String EMBEDDED = "lookup.items.embedded";

  private static final String PROGRAM =
      """
      program: lookup
      sources: { documents: { topic: lookup.documents } }
      references: { items: { topic: lookup.items, key: id, embed: [text] } }
      operators:
        - topk: near
          from: items
          query: [text]
          k: 1
          writes: found
      results: { topic: lookup.results }
      """;

  /** One of so many good items is asked for. */
  private static final int ASKED = 10;

  private final Mutator mutator;
  private final Random random;
  private final Set<String> unaccounted = new HashSet<>();

  /** What has arrived, since outputs may be read before the acknowledgement of their input. */
  private final Set<String> accounted = new HashSet<>();

  /** The results, by the item that their documents ask for. */
  private final Map<String, String> found = new HashMap<>();

  /** An embedded item, from which mutants of embedded items start. */
  private byte @Nullable [] embedded;

  private int good;
  private int asked;

  ReferenceFuzz(long seed) {
    mutator = new Mutator(seed);
    random = new Random(seed);
  }

  /** Creates the topics, and publishes the program with a plan. */
  static void create(KafkaConnection connection) throws Exception {
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM);
    new TopicCreation(ChaosOptions.PARTITIONS, 0).create(connection, program);
    PlanStep step =
        new PlanStep(program.operators().getFirst(), new TopKSearch(ModelServer.EMBEDDER, 1));
    PlanChoice choice = new PlanChoice(List.of(step), new Estimate(1, 0.0001, 1));
    ClusterSetup.control(connection)
        .write(
            List.of(
                new ControlRecord.ProgramSet(program),
                new ControlRecord.PlanPublished(
                    new PhysicalPlan("lookup", 1, choice, program.objective(), List.of())),
                new ControlRecord.Activated("lookup", 1, 1, "fuzz", "fuzz")));
  }

  /** Sends a good item, and a mutant of an item and of an embedded item. */
  void send(KafkaProducer<byte[], byte[]> producer) throws Exception {
    String id = "item-" + good++;
    sendItem(producer, id, FuzzIT.utf8(item(id)));
    String name = "bad-" + good;
    String key = random.nextInt(10) == 0 ? "" : name;
    sendItem(producer, key, mutator.of(FuzzIT.utf8(item(name))));
    byte[] written = embedded;
    byte[] value = written == null ? mutator.hostile() : mutator.bytes(written);
    var _ = producer.send(new ProducerRecord<>(EMBEDDED, FuzzIT.utf8("other-" + name), value));
  }

  private static String item(String id) {
    return "{\"id\":\"%s\",\"text\":\"%s\",\"tags\":[1,{\"a\":\"b\"}]}".formatted(id, question(id));
  }

  private static String question(String id) {
    return "The text of " + id;
  }

  private void sendItem(KafkaProducer<byte[], byte[]> producer, String key, byte[] value)
      throws Exception {
    String source =
        FuzzIT.source(producer.send(new ProducerRecord<>(ITEMS, FuzzIT.utf8(key), value)).get());
    if (!accounted.contains(source)) {
      unaccounted.add(source);
    }
  }

  /** Sends documents for good items, not for the first, whose vector is in the mutants. */
  void ask(KafkaProducer<byte[], byte[]> producer) throws Exception {
    found.clear();
    asked = 0;
    for (int i = 1; i < good; i += ASKED) {
      String id = "item-" + i;
      byte[] value = FuzzIT.utf8("{\"text\":\"%s\"}".formatted(question(id)));
      producer.send(new ProducerRecord<>("lookup.documents", FuzzIT.utf8(id), value)).get();
      asked++;
    }
  }

  void read(ConsumerRecord<byte[], byte[]> record) {
    switch (record.topic()) {
      case "lookup.dlq" ->
          account(
              "%s-%s@%s"
                  .formatted(
                      FuzzIT.header(record, "__streams.errors.topic"),
                      FuzzIT.header(record, "__streams.errors.partition"),
                      FuzzIT.header(record, "__streams.errors.offset")));
      case EMBEDDED -> {
        account(FuzzIT.header(record, "abacus-source"));
        if (FuzzIT.text(record.key()).equals("item-0")) {
          embedded = record.value();
        }
      }
      case "lookup.results" -> found.put(FuzzIT.text(record.key()), FuzzIT.text(record.value()));
      default -> throw new IllegalStateException(record.topic());
    }
  }

  private void account(String source) {
    accounted.add(source);
    unaccounted.remove(source);
  }

  boolean isAccountedFor() {
    return unaccounted.isEmpty();
  }

  /** Whether each document has found the item that it asks for. */
  boolean isAnswered() {
    return found.size() == asked && wrong().isEmpty();
  }

  private List<String> wrong() {
    return found.entrySet().stream()
        .filter(entry -> !entry.getValue().contains("\"id\":\"" + entry.getKey() + "\""))
        .map(Map.Entry::toString)
        .toList();
  }

  String missing() {
    return "%d items without outcome %s; %d of %d asked items found, wrong %s"
        .formatted(
            unaccounted.size(),
            unaccounted.stream().limit(5).toList(),
            found.size(),
            asked,
            wrong().stream().limit(3).toList());
  }
}
