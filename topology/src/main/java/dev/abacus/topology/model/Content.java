package dev.abacus.topology.model;

import java.util.Objects;

/** A part of what the user says to a model. */
public sealed interface Content {

  /** Words. */
  record Text(String text) implements Content {
    public Text {
      Objects.requireNonNull(text, "text");
    }
  }

  /** An image that the endpoint fetches. */
  record ImageReference(String uri) implements Content {
    public ImageReference {
      Objects.requireNonNull(uri, "uri");
    }
  }

  /** An image that goes along with the request. */
  record ImageBytes(String mediaType, String base64) implements Content {
    public ImageBytes {
      Objects.requireNonNull(mediaType, "mediaType");
      Objects.requireNonNull(base64, "base64");
    }
  }
}
