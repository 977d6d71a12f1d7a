package dev.abacus.topology.model;

import java.util.Objects;

/** A part of a user message. */
public sealed interface Content {

  /** Plain text. */
  record Text(String text) implements Content {
    public Text {
      Objects.requireNonNull(text, "text");
    }
  }

  /** An image that the endpoint fetches from a URI. */
  record ImageReference(String uri) implements Content {
    public ImageReference {
      Objects.requireNonNull(uri, "uri");
    }
  }

  /** An image that is sent with the request, such as media type {@code image/png}. */
  record ImageBytes(String mediaType, String base64) implements Content {
    public ImageBytes {
      Objects.requireNonNull(mediaType, "mediaType");
      Objects.requireNonNull(base64, "base64");
    }
  }
}
