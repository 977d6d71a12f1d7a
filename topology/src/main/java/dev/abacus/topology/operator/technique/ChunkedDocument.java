package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A document whose text fields are cut into chunks, counted through in document order. */
final class ChunkedDocument {

  private static final String GAP = "…";

  private record Chunk(String field, String text) {}

  private final Document document;
  private final List<Chunk> chunks = new ArrayList<>();

  ChunkedDocument(Document document, int chunkSize) {
    this.document = document;
    for (String name : document.fieldNames()) {
      JsonNode value = document.get(name);
      if (value.isTextual()) {
        Chunks.of(value.textValue(), chunkSize).forEach(text -> chunks.add(new Chunk(name, text)));
      }
    }
  }

  /** The chunks' texts. */
  List<String> texts() {
    return chunks.stream().map(Chunk::text).toList();
  }

  /** The document with these chunks only; what is left out leaves a mark. */
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
