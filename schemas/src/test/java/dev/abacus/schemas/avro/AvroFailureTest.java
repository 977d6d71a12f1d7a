package dev.abacus.schemas.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.net.ConnectException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A malformed value, an unknown schema and an unreachable registry are told apart. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AvroFailureTest {

  private static final Schema TEXT =
      SchemaBuilder.record("Text").fields().requiredString("text").endRecord();

  private static final Schema CHAIN =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Chain", "fields": [
                {"name": "next", "type": ["null", "Chain"]}]}\
              """);

  private static final Schema NULLS =
      SchemaBuilder.record("Nulls")
          .fields()
          .name("items")
          .type()
          .array()
          .items()
          .nullType()
          .noDefault()
          .endRecord();

  private static AvroValues values(String url) {
    return Objects.requireNonNull(
        AvroValues.connect(Map.of("schema.registry.url", url, "max.retries", "0")));
  }

  private final AvroValues values = values("mock://" + getClass().getName());

  private Throwable failure(byte[] value) {
    return catchThrowable(() -> values.toJson("topic", value));
  }

  private byte[] header(Schema schema, String json) throws Exception {
    JsonNode node = new ObjectMapper().readTree(json);
    return Arrays.copyOf(values.toAvro("topic-" + schema.getName(), node, schema), 5);
  }

  private static byte[] concat(byte[] header, byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(header);
    bytes.writeBytes(body);
    return bytes.toByteArray();
  }

  @Test
  void aTruncatedValueIsMalformed() throws Exception {
    byte[] header = header(TEXT, "{\"text\": \"long enough\"}");

    for (byte[] body :
        new byte[][] {
          {},
          {20},
          {20, 'a', 'b'},
          {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff},
          {(byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f},
          {1}
        }) {
      Throwable failure = failure(concat(header, body));
      assertThat(failure).isInstanceOf(SerializationException.class);
      assertThat(AvroValues.mayBeRetried(failure)).isFalse();
    }
  }

  @Test
  void aValueNestedTooDeeplyIsMalformed() throws Exception {
    byte[] body = new byte[1_000_000];
    Arrays.fill(body, (byte) 2);
    body[body.length - 1] = 0;

    Throwable failure = failure(concat(header(CHAIN, "{\"next\": null}"), body));

    assertThat(failure).isInstanceOf(SerializationException.class);
    assertThat(AvroValues.mayBeRetried(failure)).isFalse();
  }

  @Test
  void aListOfABillionNullsIsMalformed() throws Exception {
    byte[] count = {(byte) 0x80, (byte) 0xa8, (byte) 0xd6, (byte) 0xb9, 0x07, 0};

    Throwable failure = failure(concat(header(NULLS, "{\"items\": []}"), count));

    assertThat(failure).isInstanceOf(SerializationException.class);
    assertThat(AvroValues.mayBeRetried(failure)).isFalse();
  }

  @Test
  void anUnknownSchemaIsNotRetried() {
    Throwable failure = failure(new byte[] {0, 0x7f, 0, 0, 1, 2});

    assertThat(failure).isInstanceOf(RegistryException.NotFound.class);
    assertThat(AvroValues.mayBeRetried(failure)).isFalse();
  }

  @Test
  void anUnreachableRegistryIsRetried() {
    try (AvroValues unreachable = values("http://127.0.0.1:1")) {
      Throwable failure =
          catchThrowable(() -> unreachable.toJson("topic", new byte[] {0, 0, 0, 0, 1, 2}));

      assertThat(failure).isInstanceOf(RegistryException.Unavailable.class);
      assertThat(AvroValues.mayBeRetried(failure)).isTrue();
    }
  }

  @Test
  void failuresOfOtherSerdesAreToldApartByTheirCause() {
    assertThat(AvroValues.mayBeRetried(new SerializationException(new EOFException()))).isFalse();
    assertThat(AvroValues.mayBeRetried(new SerializationException(new ConnectException())))
        .isTrue();
  }
}
