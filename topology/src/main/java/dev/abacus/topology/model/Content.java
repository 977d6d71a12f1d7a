package dev.abacus.topology.model;

/** A part of a user message. */
public sealed interface Content {

  /** Plain text. */
  record Text(String text) implements Content {}

  /** An image that the endpoint fetches from a URI. */
  record ImageReference(String uri) implements Content {}

  /** An image that is sent with the request, such as media type {@code image/png}. */
  record ImageBytes(String mediaType, String base64) implements Content {}
}
