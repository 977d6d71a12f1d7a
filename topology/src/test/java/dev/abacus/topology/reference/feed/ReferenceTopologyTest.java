package dev.abacus.topology.reference.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.live.DocumentCodec;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.reference.EmbeddedItem;
import dev.abacus.topology.reference.EmbeddedItemCodec;
import dev.abacus.topology.reference.ItemEmbedder;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.WordEmbedder;
import dev.abacus.topology.reference.index.ExactIndex;
import dev.abacus.topology.runtime.FairScheduler;
import dev.abacus.topology.runtime.RefusedRecords;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the reference topic to the embedded topic; what comes out is put back as a follower does.
 */
class ReferenceTopologyTest {

  private static final String PROGRAM =
      """
      program: p
      sources: { messages: { topic: in } }
      references:
        fruit: { topic: fruit, key: name, embed: [text] }
      operators:
        - topk: find
          from: fruit
          query: [text]
          k: 3
          writes: found
      results: { topic: out }
      objective: maximize quality
      """;

  @TempDir private Path state;

  private final Program program = parse();
  private final ReferenceCollection collection =
      new ReferenceCollection("fruit", "name", ExactIndex::new);
  private final WordEmbedder words = new WordEmbedder("words", 16);
  private final RefusedRecords refused = new RefusedRecords();
  private boolean restored = true;
  private TopologyTestDriver driver;
  private TestOutputTopic<String, byte[]> embedded;
  private TestOutputTopic<String, byte[]> deadLetters;

  private static Program parse() {
    try {
      return new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void start() {
    open(words);
  }

  private void open(Embedder... embedders) {
    Reference reference = program.references().getFirst();
    Source items =
        new Source(reference.name(), reference.topic(), reference.format(), reference.key());
    ReferenceWork work =
        new ReferenceWork(
            "fruit",
            "p.fruit.embedded",
            new DocumentCodec(program, items, null),
            new ItemEmbedder(reference, collection, List.of(embedders)),
            () -> restored);
    RuntimeSettings settings = RuntimeSettings.defaults().withRecordLimit(4_000);
    driver =
        new TopologyTestDriver(
            ReferenceTopology.of(
                program,
                Map.of("fruit", work),
                settings,
                RuntimeServices.of(1)
                    .withScheduler(new FairScheduler(10, Runnable::run))
                    .withRefused(refused)),
            new StreamsSettings(
                    "test", "none:1", state.toString(), 1, 0, settings.recordLimit(), Map.of())
                .toProperties());
    embedded =
        driver.createOutputTopic(
            "p.fruit.embedded", new StringDeserializer(), new ByteArrayDeserializer());
    deadLetters =
        driver.createOutputTopic("p.dlq", new StringDeserializer(), new ByteArrayDeserializer());
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void send(@Nullable String key, @Nullable String value) {
    send(key, value, Instant.now());
  }

  private void send(@Nullable String key, @Nullable String value, Instant at) {
    driver
        .createInputTopic("fruit", new StringSerializer(), new ByteArraySerializer())
        .pipeInput(key, value == null ? null : value.getBytes(StandardCharsets.UTF_8), at);
    driver.advanceWallClockTime(Duration.ofMillis(20));
  }

  private TestRecord<String, byte[]> follow() {
    TestRecord<String, byte[]> record = embedded.readRecord();
    if (record.value() == null) {
      collection.remove(record.key());
    } else {
      collection.put(record.key(), EmbeddedItemCodec.LAYOUT.read(record.value()));
    }
    return record;
  }

  private static String reason(TestRecord<String, byte[]> letter) {
    return new String(
        letter.headers().lastHeader("__streams.errors.message").value(), StandardCharsets.UTF_8);
  }

  @Test
  void anItemIsEmbeddedByItsFields() {
    send("apple", "{\"name\": \"apple\", \"text\": \"red\", \"price\": 1.50}");

    TestRecord<String, byte[]> record = follow();
    EmbeddedItem item = EmbeddedItemCodec.LAYOUT.read(record.value());
    assertThat(item.vectors().get("words")).isEqualTo(WordEmbedder.of("red", 16).toArray());
    assertThat(new String(item.json(), StandardCharsets.UTF_8)).contains("\"price\":1.50");
    assertThat(RecordText.header(record.headers(), Headers.SOURCE)).isEqualTo("fruit-0@0");
    assertThat(collection.size()).isEqualTo(1);
    assertThat(deadLetters.isEmpty()).isTrue();
  }

  @Test
  void unchangedContentIsNotEmbeddedAgain() {
    send("apple", "{\"name\": \"apple\", \"text\": \"red\", \"price\": 1}");
    follow();
    send("apple", "{\"name\": \"apple\", \"text\": \"red\", \"price\": 2}");
    follow();

    assertThat(words.texts()).isEqualTo(1);
    assertThat(collection.candidates().getFirst().item().document().get("price").asInt())
        .isEqualTo(2);

    send("apple", "{\"name\": \"apple\", \"text\": \"green\"}");
    follow();
    assertThat(words.texts()).isEqualTo(2);
  }

  @Test
  void anAddedEmbedderKeepsTheVectorsOfTheFirst() {
    send("apple", "{\"name\": \"apple\", \"text\": \"red\"}");
    follow();
    driver.close();
    WordEmbedder more = new WordEmbedder("more", 8);
    open(words, more);
    send("apple", "{\"name\": \"apple\", \"text\": \"red\"}");
    follow();

    assertThat(words.texts()).isEqualTo(1);
    assertThat(more.texts()).isEqualTo(1);
    assertThat(collection.dimensions("words")).isEqualTo(16);
    assertThat(collection.dimensions("more")).isEqualTo(8);
  }

  @Test
  void aTombstoneRemovesTheItem() {
    send("apple", "{\"name\": \"apple\", \"text\": \"red\"}");
    follow();
    send("apple", null);
    follow();

    assertThat(collection.size()).isZero();
  }

  @Test
  void unusableItemsAreDeadLettersAndOthersAreEmbedded() {
    send("no-text", "{\"name\": \"no-text\"}");
    send("no-json", "{");
    send(null, "{\"name\": \"no-key\", \"text\": \"red\"}");
    send("large", "{\"name\": \"large\", \"text\": \"" + "x".repeat(5_000) + "\"}");
    send("refused", "{\"name\": \"refused\", \"text\": \"FAIL\"}");
    send("good", "{\"name\": \"good\", \"text\": \"red\"}");

    assertThat(deadLetters.readRecordsToList())
        .extracting(ReferenceTopologyTest::reason)
        .satisfiesExactly(
            reason -> assertThat(reason).contains("no field to embed: text"),
            reason -> assertThat(reason).contains("not valid JSON"),
            reason -> assertThat(reason).contains("needs a record key"),
            reason -> assertThat(reason).contains("5"),
            reason -> assertThat(reason).contains("embedder words").contains("will not"));
    while (!embedded.isEmpty()) {
      follow();
    }
    // The refused one is an item, but one that this embedder does not find.
    assertThat(collection.candidates())
        .extracting(found -> found.item().id())
        .containsExactly("good", "refused");
    assertThat(collection.nearest("words", WordEmbedder.of("red", 16), 9))
        .extracting(found -> found.item().id())
        .containsExactly("good");
  }

  @Test
  void anUnusableUpdateRemovesTheOldItem() {
    send("apple", "{\"name\": \"apple\", \"text\": \"red\"}");
    follow();
    send("apple", "{\"name\": \"apple\"}");
    follow();

    assertThat(collection.size()).isZero();
  }

  @Test
  void aVectorOfOtherDimensionsIsADeadLetter() {
    send("apple", "{\"name\": \"apple\", \"text\": \"red\"}");
    follow();
    driver.close();
    open(new WordEmbedder("words", 8));
    send("pear", "{\"name\": \"pear\", \"text\": \"green\"}");
    follow();

    assertThat(deadLetters.readRecordsToList())
        .extracting(ReferenceTopologyTest::reason)
        .singleElement()
        .asString()
        .contains("8 dimensions")
        .contains("16");
  }

  @Test
  void itemsWaitUntilEarlierEmbeddingsAreRestored() {
    restored = false;
    send("apple", "{\"name\": \"apple\", \"text\": \"red\"}");
    assertThat(embedded.isEmpty()).isTrue();

    restored = true;
    // One punctuation starts the work, the next finds it done.
    driver.advanceWallClockTime(Duration.ofMillis(20));
    driver.advanceWallClockTime(Duration.ofMillis(20));
    assertThat(embedded.isEmpty()).isFalse();
  }

  @Test
  void aDeadLetterHasTheTimeAtWhichItIsWritten() {
    Instant begun = Instant.now();
    send("old", "{", begun.minus(Duration.ofDays(400)));

    assertThat(deadLetters.readRecord().getRecordTime()).isAfter(begun.minusSeconds(60));
  }

  /** Brokers refuse records of the future, and a stream thread would end again and again. */
  @Test
  void anItemOfTheFutureIsWrittenWithTheCurrentTime() {
    send(
        "apple",
        "{\"name\": \"apple\", \"text\": \"red\"}",
        Instant.now().plus(Duration.ofDays(9)));

    assertThat(embedded.readRecord().getRecordTime())
        .isBefore(Instant.now().plus(Duration.ofHours(1)));
  }

  @Test
  @SuppressWarnings("NullAway") // the handler does not use its context
  void anItemThatABrokerRefusedIsADeadLetterAndUnusable() {
    send("apple", "{\"name\": \"apple\", \"text\": \"red\"}");
    TestRecord<String, byte[]> written = follow();
    RefusedRecords.Handler handler = new RefusedRecords.Handler();
    handler.configure(Map.of(RefusedRecords.PROPERTY, refused));
    handler.handleError(
        null,
        new ProducerRecord<>(
            "p.fruit.embedded", "apple".getBytes(StandardCharsets.UTF_8), written.value()),
        new RecordTooLargeException("larger than the topic allows"));

    send("apple", "{\"name\": \"apple\", \"text\": \"red\"}");

    assertThat(reason(deadLetters.readRecord())).contains("larger than the topic allows");
    follow();
    assertThat(collection.size()).isZero();
  }

  @Test
  void anEmptyReferenceTakesVectorsOfOtherDimensions() {
    send("apple", "{\"name\": \"apple\", \"text\": \"red\"}");
    follow();
    send("apple", null);
    follow();
    driver.close();
    open(new WordEmbedder("words", 8));
    send("pear", "{\"name\": \"pear\", \"text\": \"green\"}");
    follow();

    assertThat(collection.nearest("words", WordEmbedder.of("green", 8), 9)).hasSize(1);
  }
}
