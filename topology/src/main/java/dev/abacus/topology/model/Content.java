package dev.abacus.topology.model;

import dev.abacus.schemas.document.Media;

/** A part of a user message. */
public sealed interface Content {

  /** Plain text. */
  record Text(String text) implements Content {}

  /** A file: the client that sends requests shows it to the model, or fails. */
  record Attachment(Media media) implements Content {}

  /** A file of this content. */
  static Content of(String mediaType, String base64) {
    return new Attachment(new Media.Content(mediaType, base64));
  }
}
