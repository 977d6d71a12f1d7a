package dev.abacus.topology.operator.technique;

import dev.abacus.topology.model.embedding.TextChunks;
import java.util.ArrayList;
import java.util.List;

/** Cuts a text into chunks of bounded size, to be embedded. */
final class Chunks {

  private Chunks() {}

  /**
   * The chunks in order; joined, they are the text. None is longer than {@code size} characters; a
   * cut goes after white space where there is some near. Larger chunks consist of the same whole
   * {@link TextChunks}, whatever their size, so that a document is not embedded anew for each size.
   *
   * @param size at least 1
   */
  static List<String> of(String text, int size) {
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
}
