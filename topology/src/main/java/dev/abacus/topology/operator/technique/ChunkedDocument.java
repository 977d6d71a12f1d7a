package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.topology.model.embedding.TextChunks;
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
   * @param size the maximum characters of a chunk, at least 1
   */
  static ChunkedDocument of(Document document, int size) {
    List<Chunk> chunks = new ArrayList<>();
    for (String name : document.fieldNames()) {
      JsonNode value = document.get(name);
      if (value.isTextual()) {
        chunks(value.textValue(), size).forEach(text -> chunks.add(new Chunk(name, text)));
      }
    }
    return new ChunkedDocument(document, chunks);
  }

  /**
   * Cuts a text into chunks of at most {@code size} characters, after white space if possible.
   * Concatenated, the chunks are the text. Chunks of any large size consist of the same whole
   * {@link TextChunks}, so that their embeddings are reused across sizes.
   */
  static List<String> chunks(String text, int size) {
    if (size < 2 * TextChunks.SIZE) {
      return TextChunks.of(text, size);
    }
    List<String> chunks = new ArrayList<>();
    StringBuilder chunk = new StringBuilder();
    for (String piece : TextChunks.of(text, TextChunks.SIZE)) {
      if (chunk.length() + piece.length() > size) {
        chunks.add(chunk.toString());
        chunk.setLength(0);
      }
      chunk.append(piece);
    }
    if (!chunk.isEmpty()) {
      chunks.add(chunk.toString());
    }
    return chunks;
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
