package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Image;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * The texts and images of a document that an embedder gets.
 *
 * @param texts the text values; each member of a list is one text
 * @param images in the order of their fields
 */
public record EmbeddingInput(List<String> texts, List<Content> images) {

  public EmbeddingInput {
    texts = List.copyOf(texts);
    images = List.copyOf(images);
  }

  /** The values of these fields, without blank and missing ones. */
  public static EmbeddingInput of(Document document, List<String> fields) {
    List<String> texts = new ArrayList<>();
    List<Content> images = new ArrayList<>();
    fields.forEach(field -> collect(document.get(field), texts, images));
    return new EmbeddingInput(texts, images);
  }

  /**
   * The texts of a document. A join compares texts, because a reference has the vectors of texts;
   * its model sees the images too.
   *
   * @throws OperatorFailedException if there is no text
   */
  static EmbeddingInput ofTexts(Document document) throws OperatorFailedException {
    List<String> texts = of(document, document.fieldNames()).texts();
    if (texts.isEmpty()) {
      throw OperatorFailedException.unusableDocument("the document has no text to compare");
    }
    return new EmbeddingInput(texts, List.of());
  }

  private static void collect(JsonNode value, List<String> texts, List<Content> images) {
    if (value.isArray()) {
      value.forEach(member -> collect(member, texts, images));
      return;
    }
    Image image = Image.of(value);
    if (image != null) {
      images.add(DocumentMessage.content(image));
    } else if (value.isTextual()) {
      if (!value.textValue().isBlank()) {
        texts.add(value.textValue());
      }
    } else if (!value.isNull() && !value.isMissingNode()) {
      texts.add(value.toString());
    }
  }

  public boolean isEmpty() {
    return texts.isEmpty() && images.isEmpty();
  }

  /** This input with all texts joined to one. */
  public EmbeddingInput joined() {
    return texts.size() < 2 ? this : new EmbeddingInput(List.of(String.join("\n", texts)), images);
  }
}
