package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.operator.OperatorFailedException;
import java.util.ArrayList;
import java.util.List;

/**
 * The texts and files of a document that an embedder gets.
 *
 * @param texts the text values; each member of a list is one text
 * @param files in the order of their fields
 */
public record EmbeddingInput(List<String> texts, List<Content> files) {

  public EmbeddingInput {
    texts = List.copyOf(texts);
    files = List.copyOf(files);
  }

  /** The values of these fields, without blank and missing ones. */
  public static EmbeddingInput of(Document document, List<String> fields) {
    List<String> texts = new ArrayList<>();
    List<Content> files = new ArrayList<>();
    fields.forEach(field -> collect(document.get(field), texts, files));
    return new EmbeddingInput(texts, files);
  }

  /**
   * The texts of a document. A join compares texts, because a reference has the vectors of texts;
   * its model sees the files too.
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

  private static void collect(JsonNode value, List<String> texts, List<Content> files) {
    if (value.isArray()) {
      value.forEach(member -> collect(member, texts, files));
      return;
    }
    Media media = Media.of(value);
    if (media != null) {
      files.add(new Content.Attachment(media));
    } else if (value.isTextual()) {
      if (!value.textValue().isBlank()) {
        texts.add(value.textValue());
      }
    } else if (!value.isNull() && !value.isMissingNode()) {
      texts.add(value.toString());
    }
  }

  public boolean isEmpty() {
    return texts.isEmpty() && files.isEmpty();
  }

  /** This input with all texts joined to one. */
  public EmbeddingInput joined() {
    return texts.size() < 2 ? this : new EmbeddingInput(List.of(String.join("\n", texts)), files);
  }
}
