package dev.abacus.schemas.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.avro.example.Digest;
import dev.abacus.schemas.avro.example.Line;
import dev.abacus.schemas.avro.example.Order;
import dev.abacus.schemas.avro.example.Status;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.Test;

class AvroSerdeTest {

  private final String scope = "avro-serde-" + UUID.randomUUID();
  private final MockSchemaRegistry registry = MockSchemaRegistry.ofScope(scope);
  private final Serde<Object> serde = serde(scope, Map.of(), false);

  private static GenericRecord greeting(String text) {
    return new GenericRecordBuilder(Schemas.GREETING).set("text", text).build();
  }

  private byte[] write(Object value) {
    return serde.serializer().serialize("topic", value);
  }

  private Object read(byte[] data) {
    return serde.deserializer().deserialize("topic", data);
  }

  @Test
  void aRecordIsAZeroByteTheSchemaIdBigEndianAndAvroBinary() {
    assertThat(write(greeting("hi"))).containsExactly(0, 0, 0, 0, 1, 4, 'h', 'i');
    assertThat(registry.latest("topic-value").schema()).isEqualTo(Schemas.GREETING);
  }

  @Test
  void literalBytesAreReadAsTheRecordTheyMean() {
    registry.register("elsewhere", Schema.create(Schema.Type.STRING));
    registry.register("topic-value", Schemas.GREETING);

    assertThat(read(new byte[] {0, 0, 0, 0, 2, 4, 'h', 'i'})).isEqualTo(greeting("hi"));
    assertThat(read(new byte[] {0, 0, 0, 0, 1, 4, 'h', 'i'})).isEqualTo("hi");
  }

  @Test
  void nullStaysNull() {
    assertThat(serde.serializer().serialize("topic", null)).isNull();
    assertThat(serde.deserializer().deserialize("topic", (byte[]) null)).isNull();
  }

  @Test
  void primitivesNeedNoRecord() {
    assertThat(read(write("text"))).isEqualTo("text");
    Serde<Object> keys = serde(scope, Map.of(), true);
    assertThat(keys.serializer().serialize("topic", 3L)).endsWith((byte) 6);
    assertThat(registry.latest("topic-key").schema()).isEqualTo(Schema.create(Schema.Type.LONG));
  }

  @Test
  void topLevelBytesAreFramedWithoutALengthAsConfluentDoes() {
    byte[] wire = write(new byte[] {1, 2, 3});

    assertThat(wire).containsExactly(0, 0, 0, 0, 1, 1, 2, 3);
    assertThat(read(wire)).isEqualTo(new byte[] {1, 2, 3});
  }

  @Test
  void stringsAreJavaStringsAndMapsKeepTheirOrder() {
    Schema schema =
        SchemaBuilder.record("Bag")
            .fields()
            .requiredString("name")
            .name("entries")
            .type()
            .map()
            .values()
            .stringType()
            .noDefault()
            .endRecord();
    Map<String, String> entries = new LinkedHashMap<>();
    List.of("z", "y", "a", "m", "b").forEach(it -> entries.put(it, it));
    GenericRecord back =
        (GenericRecord)
            read(
                write(
                    new GenericRecordBuilder(schema)
                        .set("name", "n")
                        .set("entries", entries)
                        .build()));

    assertThat(back.get("name")).isInstanceOf(String.class);
    assertThat(back.get("entries")).hasToString("{z=z, y=y, a=a, m=m, b=b}");
    assertThat(((Map<?, ?>) back.get("entries")).keySet())
        .allSatisfy(it -> assertThat(it).isInstanceOf(String.class));
  }

  @Test
  void jsonOnTheTopicIsRefusedWithTopicAndByte() {
    assertThatThrownBy(() -> read("{\"a\": 1}".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("'topic'")
        .hasMessageContaining("0x7B ('{')");
  }

  @Test
  void dataTooShortForTheFrameIsRefused() {
    assertThatThrownBy(() -> read(new byte[] {0, 0, 0})).hasMessageContaining("3 byte(s)");
    assertThatThrownBy(() -> read(new byte[0])).hasMessageContaining("0 byte(s)");
  }

  @Test
  void dataThatEndsEarlyIsRefusedWithTopicAndSchema() {
    registry.register("topic-value", Schemas.GREETING);

    assertThatThrownBy(() -> read(new byte[] {0, 0, 0, 0, 1, 40, 'h'}))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("'topic'")
        .hasMessageContaining("example.Greeting (id 1)");
  }

  @Test
  void anUnknownIdIsFinal() {
    assertThatThrownBy(() -> read(new byte[] {0, 0, 0, 0, 99}))
        .isInstanceOfSatisfying(
            RegistryException.NotFound.class, it -> assertThat(it.retriable()).isFalse());
  }

  @Test
  void aValueThatDoesNotFitItsSchemaIsRefused() {
    GenericRecord broken = new GenericData.Record(Schemas.GREETING);

    assertThatThrownBy(() -> write(broken))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("'topic'")
        .hasMessageContaining("example.Greeting");
    assertThatThrownBy(() -> write(new Object())).hasMessageContaining("has no Avro schema");
  }

  @Test
  void withoutAutoRegistrationTheSubjectMustHaveTheSchema() {
    Serde<Object> strict = serde(scope, Map.of("auto.register.schemas", "false"), false);

    assertThatThrownBy(() -> strict.serializer().serialize("topic", greeting("hi")))
        .isInstanceOf(RegistryException.NotFound.class);
    registry.register("topic-value", Schemas.GREETING);
    assertThat(strict.serializer().serialize("topic", greeting("hi"))).endsWith('h', 'i');
  }

  @Test
  void theLatestVersionIsWrittenByTheRulesOfResolution() {
    Serde<GenericRecord> latest =
        serde(scope, Map.of("auto.register.schemas", false, "use.latest.version", true), false);
    registry.register("topic-value", Schemas.GREETING);
    registry.register("topic-value", Schemas.GREETING_WITH_TONE);

    byte[] wire = latest.serializer().serialize("topic", greeting("hi"));

    assertThat(wire).startsWith(0, 0, 0, 0, 2);
    assertThat(latest.deserializer().deserialize("topic", wire).get("tone")).isEqualTo("warm");
  }

  @Test
  void aLatestVersionThatCannotReadTheRecordIsRefused() {
    registry.setCompatibility(Compatibility.NONE);
    registry.register("topic-value", Schemas.GREETING_WITH_REQUIRED_TONE);
    Serde<Object> latest =
        serde(scope, Map.of("auto.register.schemas", false, "use.latest.version", true), false);

    assertThatThrownBy(() -> latest.serializer().serialize("topic", greeting("hi")))
        .isInstanceOf(RegistryException.Incompatible.class)
        .hasMessageContaining("topic-value");
  }

  @Test
  void severalRecordTypesShareATopicUnderRecordNames() {
    Serde<Object> byRecord =
        serde(
            scope,
            Map.of(
                "value.subject.name.strategy",
                "io.confluent.kafka.serializers.subject.TopicRecordNameStrategy"),
            false);
    byRecord.serializer().serialize("topic", greeting("hi"));

    assertThat(registry.latest("topic-example.Greeting").version()).isEqualTo(1);
  }

  @Test
  void aConfluentConfigurationReachesTheSharedMock() {
    Map<String, Object> config = new HashMap<>();
    config.put("schema.registry.url", "mock://avro-serde-test");
    config.put("bootstrap.servers", "ignored:9092");
    try (AvroSerializer<Object> serializer = new AvroSerializer<>();
        AvroDeserializer<Object> deserializer = new AvroDeserializer<>()) {
      serializer.configure(config, false);
      deserializer.configure(config, false);

      assertThat(deserializer.deserialize("t", serializer.serialize("t", greeting("hi"))))
          .isEqualTo(greeting("hi"));
    }
  }

  @Test
  void withoutAnAddressThereIsNothingToConnectTo() {
    try (AvroSerializer<Object> serializer = new AvroSerializer<>()) {
      assertThatThrownBy(() -> serializer.configure(Map.of(), false))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("schema.registry.url");
    }
  }

  private static Order order() {
    return Order.newBuilder()
        .setId(UUID.fromString("00000000-0000-0000-0000-000000000007"))
        .setCustomer("Ann")
        .setStatus(Status.PAID)
        .setTotal(new BigDecimal("12.50"))
        .setPlaced(Instant.parse("2026-05-01T10:00:00Z"))
        .setDue(LocalDate.of(2026, 6, 1))
        .setDigest(new Digest(new byte[] {1, 2, 3, 4}))
        .setLines(List.of(new Line("pen", new BigDecimal("12.50"))))
        .setNotes(Map.of("a", "b"))
        .build();
  }

  @Test
  void generatedAndGenericRecordsAreTheSameOnTheWire() {
    byte[] wire = write(order());
    GenericRecord generic = (GenericRecord) read(wire);

    assertThat(generic.get("total")).isEqualTo(new BigDecimal("12.50"));
    assertThat(generic.get("placed")).isEqualTo(Instant.parse("2026-05-01T10:00:00Z"));
    assertThat(write(generic)).isEqualTo(wire);
    assertThat(AvroJson.toJson(generic)).isEqualTo(AvroJson.toJson(order()));
  }

  @Test
  void theJavaClassOfStringsIsNotRegistered() {
    assertThat(Order.getClassSchema().toString()).contains("avro.java.string");
    write(order());

    assertThat(registry.latest("topic-value").schema().toString())
        .doesNotContain("avro.java.string")
        .contains("\"article\",\"type\":\"string\"");
  }

  private static <T> Serde<T> serde(String scope, Map<String, ?> properties, boolean key) {
    Map<String, Object> config = new HashMap<>(properties);
    config.put("schema.registry.url", "mock://" + scope);
    Serde<T> serde = Serdes.serdeFrom(new AvroSerializer<>(), new AvroDeserializer<>());
    serde.configure(config, key);
    return serde;
  }
}
