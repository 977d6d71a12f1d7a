package dev.abacus.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.avro.AvroDeserializer;
import dev.abacus.schemas.avro.AvroJson;
import dev.abacus.schemas.avro.AvroSerdeConfig;
import dev.abacus.schemas.avro.AvroSerializer;
import dev.abacus.schemas.avro.Compatibility;
import dev.abacus.schemas.avro.RegistryException;
import dev.abacus.schemas.avro.SchemaRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The serde against a real registry. */
class LocalRegistryIT {

  private static final Schema GREETING =
      SchemaBuilder.record("example.Greeting").fields().requiredString("text").endRecord();

  private static final Schema WITH_TONE =
      SchemaBuilder.record("example.Greeting")
          .fields()
          .requiredString("text")
          .name("tone")
          .type()
          .stringType()
          .stringDefault("warm")
          .endRecord();

  private static final Schema WITH_REQUIRED_TONE =
      SchemaBuilder.record("example.Greeting")
          .fields()
          .requiredString("text")
          .requiredString("tone")
          .endRecord();

  @TempDir private static Path data;

  private static LocalRegistry server;
  private static SchemaRegistry registry;

  @BeforeAll
  static void start() {
    server = LocalRegistry.start(0, data);
    registry = SchemaRegistry.connect(server.url());
  }

  @AfterAll
  static void stop() {
    registry.close();
    server.close();
  }

  private static Serde<GenericRecord> serde() {
    return serde(Map.of());
  }

  private static Serde<GenericRecord> serde(Map<String, ?> properties) {
    Map<String, Object> config = new HashMap<>(properties);
    config.put(AvroSerdeConfig.SCHEMA_REGISTRY_URL, server.url());
    Serde<GenericRecord> serde = Serdes.serdeFrom(new AvroSerializer<>(), new AvroDeserializer<>());
    serde.configure(config, false);
    return serde;
  }

  private static GenericRecord greeting() {
    return new GenericRecordBuilder(GREETING).set("text", "hi").build();
  }

  @Test
  void whatIsWrittenIsReadByAStranger() {
    byte[] wire = serde().serializer().serialize("a", greeting());
    try (SchemaRegistry stranger = SchemaRegistry.connect(server.url())) {
      GenericRecord back = serde().deserializer().deserialize("a", wire);

      assertThat(back).isEqualTo(greeting());
      assertThat(stranger.idOf("a-value", GREETING))
          .isEqualTo(registry.register("a-value", GREETING));
    }
  }

  @Test
  void aSchemaEvolvesCompatibly() {
    byte[] old = serde().serializer().serialize("b", greeting());
    int id = registry.register("b-value", WITH_TONE);

    assertThat(registry.latest("b-value").id()).isEqualTo(id);
    assertThat(registry.latest("b-value").version()).isEqualTo(2);
    assertThat(registry.latest("b-value").schema()).isEqualTo(WITH_TONE);
    assertThat(AvroJson.toJson(serde().deserializer().deserialize("b", old)).toString())
        .isEqualTo("{\"text\":\"hi\"}");
  }

  @Test
  void theLatestVersionIsWrittenOnDemand() {
    registry.register("c-value", GREETING);
    int id = registry.register("c-value", WITH_TONE);
    Serde<GenericRecord> latest =
        serde(
            Map.of(
                AvroSerdeConfig.AUTO_REGISTER_SCHEMAS, false,
                AvroSerdeConfig.USE_LATEST_VERSION, true));

    byte[] wire = latest.serializer().serialize("c", greeting());

    assertThat(latest.deserializer().deserialize("c", wire).get("tone")).isEqualTo("warm");
    assertThat(registry.schemaById(id)).isEqualTo(WITH_TONE);
  }

  @Test
  void anIncompatibleSchemaIsRefusedForGood() {
    registry.register("d-value", GREETING);

    assertThat(registry.violation("d-value", WITH_TONE)).isEmpty();
    assertThat(registry.violation("d-value", WITH_REQUIRED_TONE)).isPresent();
    assertThat(registry.compatibility("d-value")).isEqualTo(Compatibility.BACKWARD);
    assertThatThrownBy(() -> registry.register("d-value", WITH_REQUIRED_TONE))
        .isInstanceOf(RegistryException.Incompatible.class)
        .hasMessageContaining("d-value");
  }

  @Test
  void aSubjectMayHaveARuleOfItsOwn() throws Exception {
    registry.register("e-value", GREETING);
    try (HttpClient http = HttpClient.newHttpClient()) {
      var _ =
          http.send(
              HttpRequest.newBuilder(URI.create(server.url() + "/config/e-value"))
                  .header("Content-Type", "application/json")
                  .PUT(BodyPublishers.ofString("{\"compatibility\":\"NONE\"}"))
                  .build(),
              BodyHandlers.discarding());
    }

    assertThat(registry.compatibility("e-value")).isEqualTo(Compatibility.NONE);
    assertThat(registry.register("e-value", WITH_REQUIRED_TONE)).isPositive();
  }

  @Test
  void whatIsUnknownIsNotFound() {
    byte[] unknown = {0, 0, 1, 0, 0, 0};

    assertThatThrownBy(() -> serde().deserializer().deserialize("f", unknown))
        .isInstanceOf(RegistryException.NotFound.class)
        .hasMessageContaining("65536");
    assertThatThrownBy(() -> registry.latest("nothing-value"))
        .isInstanceOf(RegistryException.NotFound.class);
    assertThat(registry.violation("nothing-value", GREETING)).isEmpty();
    registry.register("f-value", GREETING);
    assertThatThrownBy(() -> registry.idOf("f-value", WITH_TONE))
        .isInstanceOf(RegistryException.NotFound.class);
  }

  @Test
  void jsonIsRefusedByItsFirstByte() {
    byte[] json = "{}{}{}".getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> serde().deserializer().deserialize("g", json))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("'g'")
        .hasMessageContaining("0x7B");
  }

  @Test
  void schemasKeepTheirIdsInTheDataFolder() {
    int id = registry.register("h-value", WITH_TONE);
    int port = URI.create(server.url()).getPort();
    server.close();
    server = LocalRegistry.start(port, data);
    try (SchemaRegistry stranger = SchemaRegistry.connect(server.url())) {
      assertThat(stranger.schemaById(id)).isEqualTo(WITH_TONE);
    }
  }
}
