package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Media;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the texts of a document into parts of a maximum size, in document order. Values that are not
 * text are in all parts, images only in the first, because they are expensive.
 */
final class DocumentParts {

  private final int size;
  private final TokenChunks tokens;
  private final Document common;
  private final List<Document> parts = new ArrayList<>();
  private Document current;

  /** Tokens that the current part has room for. */
  private int free;

  private DocumentParts(int size, TokenChunks tokens, Document first, Document common) {
    this.size = size;
    this.tokens = tokens;
    this.common = common;
    this.current = first;
    this.free = size;
  }

  /**
   * The parts of a document, at least one. A document that fits into one part is returned
   * unchanged.
   *
   * @param size the maximum tokens of the texts of a part, at least 1
   */
  static List<Document> of(Document document, int size, TokenChunks tokens) {
    Document first = Document.empty();
    Document common = Document.empty();
    for (String name : document.fieldNames()) {
      JsonNode value = document.get(name);
      if (!value.isTextual()) {
        first = first.with(name, value);
        common = Media.of(value) == null ? common.with(name, value) : common;
      }
    }
    DocumentParts cut = new DocumentParts(size, tokens, first, common);
    for (String name : document.fieldNames()) {
      JsonNode value = document.get(name);
      if (value.isTextual()) {
        cut.add(name, value.textValue());
      }
    }
    cut.close();
    return cut.parts.size() == 1 ? List.of(document) : List.copyOf(cut.parts);
  }

  private void add(String name, String text) {
    int from = 0;
    while (from < text.length()) {
      int to = free == 0 ? from : tokens.end(text, from, free);
      // A very short piece at the end of a part has too little context to be understood.
      if (to < text.length() && free < Math.max(1, size / 5)) {
        close();
        to = tokens.end(text, from, free);
      }
      String piece = text.substring(from, to);
      current = current.with(name, TextNode.valueOf(piece));
      free -= (int) Math.min(free, tokens.count(piece));
      from = to;
      if (from < text.length()) {
        close();
      }
    }
  }

  private void close() {
    parts.add(current);
    current = common;
    free = size;
  }
}
