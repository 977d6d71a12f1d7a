package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;

/** How documents of one topic are encoded. */
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

  /** The record value of a document. */
  byte[] write(Document document);

  /**
   * The fields of a record value.
   *
   * @throws InvalidDocumentException if it is not in this format
   */
  ObjectNode read(byte[] value) throws InvalidDocumentException;
}
