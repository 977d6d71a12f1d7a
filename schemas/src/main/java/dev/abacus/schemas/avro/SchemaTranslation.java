package dev.abacus.schemas.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaCompatibility.SchemaPairCompatibility;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Converts data of one schema to another by Avro's schema resolution (fields by name, defaults,
 * promotions). Avro writes fields by position, so writing a record under another schema without
 * conversion corrupts it.
 */
record SchemaTranslation(DatumReader<Object> reader, GenericDatumWriter<Object> writer) {

  static SchemaTranslation between(Schema from, RegisteredSchema latest, boolean strict) {
    Schema to = latest.schema();
    SchemaPairCompatibility pair = SchemaCompatibility.checkReaderWriterCompatibility(to, from);
    if (strict && pair.getType() != SchemaCompatibilityType.COMPATIBLE) {
      throw new RegistryException.Incompatible(
          "Version %d of subject '%s' cannot read records of schema %s: %s"
              .formatted(
                  latest.version(),
                  latest.subject(),
                  from.getFullName(),
                  pair.getResult().getIncompatibilities()));
    }
    return new SchemaTranslation(
        GenericModel.RAW.reader(from, to), new GenericDatumWriter<>(to, GenericModel.RAW));
  }

  byte[] translate(String topic, byte[] data) {
    try {
      Object datum = reader.read(null, DecoderFactory.get().binaryDecoder(data, null));
      ByteArrayOutputStream out = new ByteArrayOutputStream(data.length);
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
      writer.write(datum, encoder);
      encoder.flush();
      return out.toByteArray();
    } catch (IOException | AvroRuntimeException e) {
      throw new SerializationException(
          "A value for topic '%s' cannot be brought to the subject's newest version: %s"
              .formatted(topic, e.getMessage()),
          e);
    }
  }
}
