package dev.abacus.schemas.avro;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.schemas.input.BoundedJson;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties over random schemas and values. */
class AvroRoundTripTest {

  private static final int SCHEMAS = 150;
  private static final int VALUES = 5;

  private final ObjectMapper mapper = BoundedJson.mapper().build();

  private interface Property {
    void holds(GenericRecord value, Schema schema) throws Exception;
  }

  private static void forAll(long seed, Property property) throws Exception {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < SCHEMAS; i++) {
      RandomAvro avro = new RandomAvro(random);
      Schema schema = avro.record(3);
      for (int j = 0; j < VALUES; j++) {
        property.holds((GenericRecord) requireNonNull(avro.value(schema)), schema);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void jsonTextKeepsEveryBitOfAnAvroValue(long seed) throws Exception {
    forAll(
        seed,
        (value, schema) -> {
          String text = mapper.writeValueAsString(AvroJson.toJson(value));
          GenericRecord back = Schemas.record(mapper.readTree(text), schema);

          assertThat(Schemas.binary(back, schema))
              .as("%s under %s", text, schema)
              .isEqualTo(Schemas.binary(value, schema));
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void anAvroValueKeepsEveryCharacterOfItsJson(long seed) throws Exception {
    forAll(
        seed,
        (value, schema) -> {
          JsonNode json = AvroJson.toJson(value);

          assertThat(AvroJson.toJson(Schemas.record(json, schema)).toString())
              .isEqualTo(json.toString());
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 8, 9})
  void theWireKeepsEveryBit(long seed) throws Exception {
    String scope = "avro-round-trip-" + seed;
    MockSchemaRegistry.ofScope(scope).setCompatibility(Compatibility.NONE);
    Serde<GenericRecord> serde = Serdes.serdeFrom(new AvroSerializer<>(), new AvroDeserializer<>());
    serde.configure(Map.of("schema.registry.url", "mock://" + scope), false);
    forAll(
        seed,
        (value, schema) -> {
          byte[] wire = serde.serializer().serialize("topic", value);
          GenericRecord back = serde.deserializer().deserialize("topic", wire);

          assertThat(back.getSchema()).isEqualTo(schema);
          assertThat(Schemas.binary(back, schema)).isEqualTo(Schemas.binary(value, schema));
        });
  }
}
