package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Image;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is meant as an image and is none. Shown as the JSON that it is, it would pass for
 * text, and nobody would notice that the model saw no image.
 */
public final class ImageCheck {

  private ImageCheck() {}

  /** What is wrong with the first damaged image of a document; null if there is none. */
  public static @Nullable String problem(Document document) {
    for (String name : document.fieldNames()) {
      String problem = problem(name, document.get(name));
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private static @Nullable String problem(String path, JsonNode value) {
    if (value.path("bytes").isTextual() && value.path("mediaType").isTextual()) {
      String type = value.path("mediaType").textValue();
      if (!type.startsWith("image/")) {
        return "the field '%s' holds %s where an image is expected".formatted(path, type);
      }
      return Image.of(value) == null
          ? "the image in the field '%s' is no Base64, or empty".formatted(path)
          : null;
    }
    int index = 0;
    for (JsonNode part : value) {
      String problem = problem(path + "[" + index++ + "]", part);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }
}
