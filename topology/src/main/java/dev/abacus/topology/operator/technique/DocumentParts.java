package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Image;
import dev.abacus.topology.model.embedding.TextChunks;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a document into parts that hold at most so many characters of its texts, in document order.
 * Values that are no text stand in every part; images in the first only, since they are dear.
 */
final class DocumentParts {

  private final int size;
  private final List<Document> parts = new ArrayList<>();
  private Document fixed = Document.empty();
  private Document open;
  private int room;

  private DocumentParts(Document document, int size) {
    this.size = size;
    this.room = size;
    Document first = Document.empty();
    for (String name : document.fieldNames()) {
      JsonNode value = document.get(name);
      if (!value.isTextual()) {
        first = first.with(name, value);
        fixed = Image.of(value) == null ? fixed.with(name, value) : fixed;
      }
    }
    this.open = first;
  }

  /** The parts; at least one. A document that fits into one is returned as it is. */
  static List<Document> of(Document document, int size) {
    DocumentParts cut = new DocumentParts(document, size);
    for (String name : document.fieldNames()) {
      JsonNode value = document.get(name);
      if (value.isTextual()) {
        cut.add(name, value.textValue());
      }
    }
    cut.close();
    return cut.parts.size() == 1 ? List.of(document) : cut.parts;
  }

  private void add(String name, String text) {
    int from = 0;
    while (from < text.length()) {
      // A piece too small to be understood is worse than a part that is not full.
      if (room < Math.min(text.length() - from, Math.max(1, size / 5))) {
        close();
      }
      int to = text.length() - from <= room ? text.length() : TextChunks.end(text, from, room);
      open = open.with(name, TextNode.valueOf(text.substring(from, to)));
      room -= to - from;
      from = to;
      if (from < text.length()) {
        close();
      }
    }
  }

  private void close() {
    parts.add(open);
    open = fixed;
    room = size;
  }
}
