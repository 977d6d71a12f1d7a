package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.value.RecordValues;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;

/** Reads values that users write: JSON, and Avro and Protobuf in Confluent's wire format. */
record ValueReader(RecordValues values) {

  @FunctionalInterface
  private interface Reading {
    Document read() throws InvalidDocumentException;
  }

  /**
   * A value in JSON or Avro as a JSON object, whose numbers are those of JSON.
   *
   * @throws BadRecordException if the value is not an object
   * @throws SerializationException if the schema registry does not answer
   */
  Document read(String topic, byte[] value) throws BadRecordException {
    return read(() ->
        RecordValues.isRegistered(value)
            ? Document.parse(values.registered(topic, Format.AVRO, value).toString())
            : Document.parse(value));
  }

  /** As {@link #read(String, byte[])}, of a record of a source in the format of that. */
  Document read(Source source, ConsumerRecord<byte[], byte[]> record) throws BadRecordException {
    return read(() -> values.read(source, record.key(), record.value()));
  }

  private static Document read(Reading reading) throws BadRecordException {
    try {
      return reading.read();
    } catch (InvalidDocumentException e) {
      throw new BadRecordException(String.valueOf(e.getMessage()), e);
    } catch (SerializationException e) {
      throw new SerializationException("the schema registry is unavailable: " + e.getMessage(), e);
    }
  }
}
