package dev.abacus.schemas.avro;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** Schemas that several tests use. */
final class Schemas {

  static final Schema GREETING =
      SchemaBuilder.record("example.Greeting").fields().requiredString("text").endRecord();

  /** Adds a field with a default: backward compatible. */
  static final Schema GREETING_WITH_TONE =
      SchemaBuilder.record("example.Greeting")
          .fields()
          .requiredString("text")
          .name("tone")
          .type()
          .stringType()
          .stringDefault("warm")
          .endRecord();

  /** Adds a field without a default: readers cannot make it up. */
  static final Schema GREETING_WITH_REQUIRED_TONE =
      SchemaBuilder.record("example.Greeting")
          .fields()
          .requiredString("text")
          .requiredString("tone")
          .endRecord();

  private Schemas() {}

  static Schema parse(String json) {
    return new Schema.Parser().parse(json);
  }

  /** Avro binary, which makes values with logical types and ordered maps comparable. */
  static byte[] binary(@Nullable Object datum, Schema schema) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    try {
      new GenericDatumWriter<@Nullable Object>(schema, GenericModel.LOGICAL).write(datum, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** The record of a JSON object. */
  static GenericRecord record(JsonNode json, Schema schema) {
    return (GenericRecord) Objects.requireNonNull(AvroJson.toAvro(json, schema));
  }
}
