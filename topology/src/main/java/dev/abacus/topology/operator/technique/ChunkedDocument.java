package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A document with its text fields cut into chunks, which have one numbering from 0. */
record ChunkedDocument(Document document, List<Chunk> chunks) {

  private static final String GAP = "…";

  /** A chunk of a field. */
  record Chunk(String field, String text) {}

  /**
   * Cuts the text fields of a document.
   *
   * @param size the maximum tokens of a chunk, at least 1
   */
  static ChunkedDocument of(Document document, int size, TokenChunks tokens) {
    List<Chunk> chunks = new ArrayList<>();
    for (String name : document.fieldNames()) {
      JsonNode value = document.get(name);
      if (value.isTextual()) {
        tokens.of(value.textValue(), size).forEach(text -> chunks.add(new Chunk(name, text)));
      }
    }
    return new ChunkedDocument(document, chunks);
  }

  /** The texts of all chunks. */
  List<String> texts() {
    return chunks.stream().map(Chunk::text).toList();
  }

  /** The document with a subset of its chunks; a mark replaces the others. */
  Document keep(Set<Integer> kept) {
    Document reduced = document;
    for (String name : chunks.stream().map(Chunk::field).distinct().toList()) {
      reduced = reduced.with(name, TextNode.valueOf(text(name, kept)));
    }
    return reduced;
  }

  private String text(String field, Set<Integer> kept) {
    StringBuilder text = new StringBuilder();
    boolean gap = false;
    for (int i = 0; i < chunks.size(); i++) {
      if (!chunks.get(i).field().equals(field)) {
        continue;
      }
      if (kept.contains(i)) {
        text.append(gap ? GAP + "\n" : "").append(chunks.get(i).text());
        gap = false;
      } else {
        text.append(gap || text.isEmpty() ? "" : "\n");
        gap = true;
      }
    }
    return text.append(gap ? GAP : "").toString();
  }
}
