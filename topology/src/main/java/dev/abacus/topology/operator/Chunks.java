package dev.abacus.topology.operator;

import java.util.ArrayList;
import java.util.List;

/** Cuts a text into chunks of bounded size. */
final class Chunks {

  private Chunks() {}

  /**
   * The chunks in order; joined, they are the text. None is longer than {@code size} characters; a
   * cut goes after white space where there is some in the last fifth of the chunk.
   *
   * @param size at least 1
   */
  static List<String> of(String text, int size) {
    List<String> chunks = new ArrayList<>();
    int from = 0;
    while (text.length() - from > size) {
      int to = cut(text, from, size);
      chunks.add(text.substring(from, to));
      from = to;
    }
    if (from < text.length()) {
      chunks.add(text.substring(from));
    }
    return chunks;
  }

  /**
   * Where a chunk of at most that size ends that begins at {@code from}, with more text after it.
   */
  static int cut(String text, int from, int size) {
    int end = from + size;
    for (int at = end; at > end - size / 5; at--) {
      if (Character.isWhitespace(text.charAt(at - 1))) {
        return at;
      }
    }
    boolean splitsPair =
        Character.isHighSurrogate(text.charAt(end - 1))
            && Character.isLowSurrogate(text.charAt(end));
    return splitsPair && size > 1 ? end - 1 : end;
  }
}
