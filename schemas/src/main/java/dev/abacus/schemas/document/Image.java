package dev.abacus.schemas.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An image value of a document: either {@code {"uri": "https://…"}} (by reference) or {@code
 * {"mediaType": "image/png", "bytes": "<base64>"}} (by content).
 */
public sealed interface Image {

  /** An image that the model endpoint or the data plane fetches. */
  record Reference(String uri) implements Image {
    public Reference {
      Objects.requireNonNull(uri, "uri");
    }
  }

  /** An image inside the document. */
  record Content(String mediaType, String base64) implements Image {
    public Content {
      Objects.requireNonNull(mediaType, "mediaType");
      Objects.requireNonNull(base64, "base64");
    }
  }

  /** The image that a value describes, or null. */
  static @Nullable Image of(JsonNode value) {
    if (value.path("uri").isTextual()) {
      return new Reference(value.get("uri").textValue());
    }
    if (value.path("bytes").isTextual() && value.path("mediaType").isTextual()) {
      String base64 = value.get("bytes").textValue();
      return isBase64(base64) ? new Content(value.get("mediaType").textValue(), base64) : null;
    }
    return null;
  }

  private static boolean isBase64(String text) {
    try {
      return Base64.getDecoder().decode(text).length > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
