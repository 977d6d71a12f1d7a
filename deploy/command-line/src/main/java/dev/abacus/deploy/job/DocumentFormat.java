package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.file.FileReading;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Encodes and decodes the documents of one topic. */
public interface DocumentFormat {

  /** One JSON object, UTF-8. */
  DocumentFormat JSON =
      new DocumentFormat() {
        @Override
        public byte[] write(Document document) {
          return document.toBytes();
        }

        @Override
        public ObjectNode read(byte[] value) throws InvalidDocumentException {
          return Document.parse(value).toJson();
        }
      };

  /** The file in the field {@link FileReading#CONTENT}. */
  DocumentFormat FILE =
      new DocumentFormat() {
        @Override
        public byte[] write(Document document) {
          JsonNode content = document.get(FileReading.CONTENT);
          return Media.of(content) instanceof Media.Content file
              ? file.bytes()
              : content.asText().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public ObjectNode read(byte[] value) throws InvalidDocumentException {
          throw new InvalidDocumentException("a file");
        }
      };

  /** Encodes a document as a record value. */
  byte[] write(Document document);

  /**
   * Decodes a record value.
   *
   * @throws InvalidDocumentException if the value does not have this format
   */
  ObjectNode read(byte[] value) throws InvalidDocumentException;

  /**
   * Decodes a result of the program.
   *
   * @throws OperationFailedException if the value does not have this format
   */
  default ObjectNode result(ConsumerRecord<byte[], byte[]> record) {
    try {
      return read(record.value());
    } catch (InvalidDocumentException e) {
      throw new OperationFailedException(
          "a result on %s cannot be read: %s".formatted(record.topic(), e.getMessage()),
          "Check that nothing else writes to that topic, and --schema-registry.",
          e);
    }
  }
}
