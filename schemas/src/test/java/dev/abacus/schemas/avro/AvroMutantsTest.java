package dev.abacus.schemas.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a record in Avro contains, it is a value or is refused, in bounded time and memory. */
@Timeout(60)
class AvroMutantsTest {

  private static final Schema SCHEMA =
      SchemaBuilder.record("Document")
          .fields()
          .requiredString("id")
          .requiredBytes("blob")
          .name("tags")
          .type()
          .array()
          .items()
          .stringType()
          .noDefault()
          .name("nothings")
          .type()
          .array()
          .items()
          .nullType()
          .noDefault()
          .name("counts")
          .type()
          .map()
          .values()
          .longType()
          .noDefault()
          .endRecord();
  private static final Map<String, Object> PROPERTIES =
      Map.of("schema.registry.url", "mock://avro-mutants", "auto.register.schemas", true);

  private final AvroSerializer<Object> serializer = new AvroSerializer<>();
  private final AvroDeserializer<Object> deserializer = new AvroDeserializer<>();

  AvroMutantsTest() {
    serializer.configure(PROPERTIES, false);
    deserializer.configure(PROPERTIES, false);
  }

  @AfterEach
  void close() {
    serializer.close();
    deserializer.close();
  }

  private byte[] good() {
    GenericRecord record = new GenericData.Record(SCHEMA);
    record.put("id", "a document");
    record.put("blob", ByteBuffer.wrap(new byte[] {1, 2, 3}));
    record.put("tags", List.of("one", "two"));
    record.put("nothings", Collections.nCopies(3, null));
    record.put("counts", Map.of("x", 7L));
    return Objects.requireNonNull(serializer.serialize("docs", record));
  }

  @Test
  void mutantsAreValuesOrRefused() {
    Random random = new Random(1);
    byte[] good = good();
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] mutant = Arrays.copyOf(good, good.length - random.nextInt(good.length / 2));
      for (int change = random.nextInt(4); change >= 0; change--) {
        int at = WireFormat.HEADER + random.nextInt(mutant.length - WireFormat.HEADER);
        mutant[at] = (byte) random.nextInt(256);
      }
      try {
        var _ = deserializer.deserialize("docs", mutant);
      } catch (SerializationException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(1_000);
    assertThat(deserializer.deserialize("docs", good)).isNotNull();
  }

  /** Each names far more than the record contains; to allocate it would exhaust the memory. */
  @Test
  void lengthsThatAreNotThereAreRefused() throws Exception {
    for (long length : List.of(1L << 24, (long) Integer.MAX_VALUE - 16, 1L << 40, -5L)) {
      assertRefused(encoder -> encoder.writeLong(length));
      assertRefused(encoder -> {
        encoder.writeString("id");
        encoder.writeLong(length);
      });
      assertRefused(encoder -> {
        encoder.writeString("id");
        encoder.writeBytes(new byte[0]);
        encoder.writeLong(length);
      });
      assertRefused(encoder -> {
        encoder.writeString("id");
        encoder.writeBytes(new byte[0]);
        encoder.writeLong(0);
        encoder.writeLong(length);
      });
    }
  }

  private interface Writing {
    void to(BinaryEncoder encoder) throws Exception;
  }

  private void assertRefused(Writing writing) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(good(), 0, WireFormat.HEADER);
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    writing.to(encoder);
    encoder.flush();
    bytes.write("rest".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> deserializer.deserialize("docs", bytes.toByteArray()))
        .isInstanceOf(SerializationException.class);
  }
}
