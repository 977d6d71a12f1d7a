package dev.abacus.schemas.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;

class AvroSerdeConfigTest {

  private static AvroSerdeConfig config(String name, Object value) {
    return new AvroSerdeConfig(Map.of("schema.registry.url", "http://r:8081", name, value));
  }

  @Test
  void defaultsAreThese() {
    AvroSerdeConfig config = new AvroSerdeConfig(Map.of());

    assertThat(config.urls()).isEmpty();
    assertThat(config.getBoolean(AvroSerdeConfig.AUTO_REGISTER_SCHEMAS)).isTrue();
    assertThat(config.getBoolean(AvroSerdeConfig.USE_LATEST_VERSION)).isFalse();
    assertThat(config.getBoolean(AvroSerdeConfig.LATEST_COMPATIBILITY_STRICT)).isTrue();
    assertThat(config.latestCacheTtl()).isEqualTo(Duration.ofMinutes(1));
    assertThat(config.getBoolean(AvroSerdeConfig.NORMALIZE_SCHEMAS)).isFalse();
    assertThat(config.subjectNaming(true)).isEqualTo(SubjectNaming.TOPIC);
    assertThat(config.subjectNaming(false)).isEqualTo(SubjectNaming.TOPIC);
    assertThat(config.millis(AvroSerdeConfig.CONNECT_TIMEOUT_MS)).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.millis(AvroSerdeConfig.READ_TIMEOUT_MS)).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.getInt(AvroSerdeConfig.MAX_RETRIES)).isEqualTo(3);
    assertThat(config.millis(AvroSerdeConfig.RETRIES_WAIT_MS)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void everyPropertyIsDocumented() {
    assertThat(AvroSerdeConfig.DEFINITION.configKeys().values())
        .allSatisfy(it -> assertThat(it.documentation).as(it.name).isNotBlank());
    assertThat(AvroSerdeConfig.DEFINITION.names())
        .contains("schema.registry.ssl.truststore.location", "schema.registry.ssl.keystore.type");
  }

  @Test
  void strategiesGoByConfluentsClassNamesShortNamesAndOurs() {
    String confluent = "io.confluent.kafka.serializers.subject.RecordNameStrategy";

    assertThat(config("value.subject.name.strategy", confluent).subjectNaming(false))
        .isEqualTo(SubjectNaming.RECORD);
    assertThat(config("key.subject.name.strategy", "RecordNameStrategy").subjectNaming(true))
        .isEqualTo(SubjectNaming.RECORD);
    assertThat(config("key.subject.name.strategy", "topic_record").subjectNaming(true))
        .isEqualTo(SubjectNaming.TOPIC_RECORD);
    assertThatThrownBy(() -> config("value.subject.name.strategy", "com.example.Mine"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("TopicRecordNameStrategy");
  }

  @Test
  void subjectsFollowTheirStrategy() {
    assertThat(SubjectNaming.TOPIC.subject("t", true, Schemas.GREETING)).isEqualTo("t-key");
    assertThat(SubjectNaming.TOPIC.subject("t", false, Schemas.GREETING)).isEqualTo("t-value");
    assertThat(SubjectNaming.RECORD.subject("t", false, Schemas.GREETING))
        .isEqualTo("example.Greeting");
    assertThat(SubjectNaming.TOPIC_RECORD.subject("t", false, Schemas.GREETING))
        .isEqualTo("t-example.Greeting");
    Schema text = Schema.create(Schema.Type.STRING);
    assertThatThrownBy(() -> SubjectNaming.RECORD.subject("t", false, text))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("'t'");
  }

  @Test
  void credentialsComeFromTheUrlOrFromUserInfo() {
    URI plain = URI.create("http://r:8081");
    URI withUser = URI.create("http://ann:secret@r:8081");

    assertThat(new AvroSerdeConfig(Map.of()).userInfo(plain)).isEmpty();
    assertThat(new AvroSerdeConfig(Map.of()).userInfo(withUser)).contains("ann:secret");
    AvroSerdeConfig older =
        new AvroSerdeConfig(
            Map.of(
                "schema.registry.basic.auth.user.info", "bob:pw",
                "basic.auth.credentials.source", "USER_INFO"));
    assertThat(older.userInfo(plain)).contains("bob:pw");
    assertThatThrownBy(() -> config("basic.auth.credentials.source", "USER_INFO").userInfo(plain))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("basic.auth.user.info");
  }

  @Test
  void passwordsAreNotPrinted() {
    AvroSerdeConfig config = config("basic.auth.user.info", "bob:pw");

    assertThat(config.values().toString()).doesNotContain("bob:pw");
  }

  @Test
  void aMockAddressCannotBeCombined() {
    assertThatThrownBy(() -> SchemaRegistry.connect("mock://a,http://r:8081"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cannot be combined");
    assertThatThrownBy(() -> SchemaRegistry.connect("ftp://r"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("http://");
  }
}
