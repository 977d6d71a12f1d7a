package dev.abacus.schemas.protobuf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.CodedOutputStream;
import com.sun.net.httpserver.HttpServer;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.avro.RegistryException;
import dev.abacus.schemas.avro.SchemaRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values as Confluent's serializer writes them, byte by byte. */
class ProtobufValuesTest {

  private static final String ORDER =
      """
      syntax = "proto3";
      package shop;
      import "google/protobuf/timestamp.proto";
      import "google/protobuf/wrappers.proto";
      import "shop/person.proto";
      message Ignored {}
      message Order {
        enum Kind { NORMAL = 0; URGENT = 1; }
        message Line { string text = 1; double price = 2; }
        string id = 1;
        int64 cents = 2;
        repeated Line lines = 3;
        google.protobuf.Timestamp at = 4;
        map<string, uint32> counts = 5;
        Kind kind = 6;
        bytes scan = 7;
        optional string note = 8;
        Person buyer = 9;
        google.protobuf.StringValue city = 10;
        oneof paid { bool cash = 11; string card = 12; }
      }
      """;

  private static final String PERSON =
      """
      syntax = "proto3";
      package shop;
      message Person { string name = 1; }
      """;

  /** Bodies by path. */
  private final Map<String, String> answers =
      Map.of(
          "/schemas/ids/7",
          "{\"schemaType\":\"PROTOBUF\",\"schema\":%s,\"references\":[{\"name\":\"shop/person.proto\",\"subject\":\"person\",\"version\":2}]}"
              .formatted(quoted(ORDER)),
          "/subjects/person/versions/2",
          "{\"schemaType\":\"PROTOBUF\",\"schema\":%s}".formatted(quoted(PERSON)),
          "/schemas/ids/8",
          "{\"schemaType\":\"PROTOBUF\",\"schema\":%s}".formatted(quoted(ORDER)),
          "/schemas/ids/9",
          "{\"schema\":\"\\\"string\\\"\"}");

  private HttpServer server;
  private SchemaRegistry registry;
  private ProtobufValues values;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String body = answers.get(exchange.getRequestURI().getPath());
          byte[] bytes =
              (body == null ? "{\"error_code\":40403,\"message\":\"none\"}" : body).getBytes(UTF_8);
          exchange.sendResponseHeaders(body == null ? 404 : 200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    registry = SchemaRegistry.connect("http://127.0.0.1:" + server.getAddress().getPort());
    values = new ProtobufValues(registry);
  }

  @AfterEach
  void stop() {
    registry.close();
    server.stop(0);
  }

  private static String quoted(String text) {
    try {
      return new ObjectMapper().writeValueAsString(text);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private interface Writing {
    void to(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    writing.to(out);
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] framed(int id, byte[] indexes, byte[] message) {
    return ByteBuffer.allocate(5 + indexes.length + message.length)
        .put((byte) 0)
        .putInt(id)
        .put(indexes)
        .put(message)
        .array();
  }

  /** One index, 1: zigzag numbers. */
  private static final byte[] SECOND_TYPE = {2, 2};

  @Test
  void aMessageIsJsonWithTheNamesOfItsSchema() throws Exception {
    byte[] line =
        message(out -> {
          out.writeString(1, "Tea");
          out.writeDouble(2, 2.5);
        });
    byte[] order =
        message(out -> {
          out.writeString(1, "o1");
          out.writeInt64(2, 9_007_199_254_740_993L);
          out.writeByteArray(3, line);
          out.writeByteArray(4, message(at -> at.writeInt64(1, 1_767_225_600)));
          out.writeByteArray(
              5,
              message(entry -> {
                entry.writeString(1, "a");
                entry.writeUInt32(2, -1);
              }));
          out.writeEnum(6, 1);
          out.writeByteArray(7, new byte[] {1, 2, 3});
          out.writeByteArray(9, message(person -> person.writeString(1, "Ann")));
          out.writeByteArray(10, message(city -> city.writeString(1, "Rome")));
          out.writeBool(11, false);
        });
    assertThat(values.toJson("in", framed(7, SECOND_TYPE, order)))
        .hasToString(
            "{\"id\":\"o1\",\"cents\":9007199254740993,\"lines\":[{\"text\":\"Tea\",\"price\":2.5}],"
                + "\"at\":\"2026-01-01T00:00:00Z\",\"counts\":{\"a\":4294967295},\"kind\":\"URGENT\","
                + "\"scan\":\"AQID\",\"buyer\":{\"name\":\"Ann\"},\"city\":\"Rome\",\"cash\":false}");
  }

  @Test
  void theTypeIsThatOfTheIndexes() throws Exception {
    byte[] line = message(out -> out.writeString(1, "Tea"));
    assertThat(values.toJson("in", framed(7, new byte[] {4, 2, 0}, line)))
        .hasToString("{\"text\":\"Tea\",\"price\":0.0}");
    assertThat(values.toJson("in", framed(7, new byte[] {0}, new byte[0]))).hasToString("{}");
    assertInvalid("it has no message type at [9]", framed(7, new byte[] {2, 18}, line));
  }

  @Test
  void whatCannotBeReadSaysWhyAndWhetherToRetry() throws Exception {
    assertInvalid("not written by a serializer with a schema registry", "{}".getBytes(UTF_8));
    assertInvalid("does not follow the schema (id 7)", framed(7, SECOND_TYPE, new byte[] {10, 9}));
    byte[] beyond =
        message(at -> {
          at.writeInt64(1, Long.MAX_VALUE);
          at.writeInt32(2, 2_000_000_000);
        });
    assertInvalid(
        "does not follow the schema (id 7)",
        framed(7, SECOND_TYPE, message(out -> out.writeByteArray(4, beyond))));
    assertInvalid("it imports shop/person.proto", framed(8, SECOND_TYPE, new byte[0]));
    assertInvalid("has the type AVRO; PROTOBUF is expected", framed(9, SECOND_TYPE, new byte[0]));
    assertThatThrownBy(() -> values.toJson("in", framed(1, SECOND_TYPE, new byte[0])))
        .isInstanceOf(RegistryException.NotFound.class);
    server.stop(0);
    assertThatThrownBy(
            () -> new ProtobufValues(registry).toJson("in", framed(7, SECOND_TYPE, new byte[0])))
        .matches(AvroValues::mayBeRetried);
  }

  private void assertInvalid(String reason, byte[] value) {
    assertThatThrownBy(() -> values.toJson("in", value))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining(reason)
        .matches(failure -> !AvroValues.mayBeRetried(failure));
  }
}
