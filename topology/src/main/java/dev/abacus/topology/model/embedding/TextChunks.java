package dev.abacus.topology.model.embedding;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts texts into pieces of bounded size. Whoever embeds parts of a text does well to make them of
 * whole pieces of {@link #SIZE} characters: where a piece ends depends on nothing but the text
 * since the end of the last, so parts of different sizes consist of the same pieces, and a piece is
 * embedded once for all of them.
 */
public final class TextChunks {

  /**
   * Characters of a piece that is embedded as one: about a hundred tokens, so that nearly all fit
   * an embedder that takes 128.
   */
  public static final int SIZE = 500;

  private TextChunks() {}

  /**
   * The pieces in order; joined, they are the text. None is longer than {@code size} characters; a
   * cut goes after white space where there is some in the last fifth of the piece.
   *
   * @param size at least 1
   */
  public static List<String> of(String text, int size) {
    List<String> pieces = new ArrayList<>();
    int from = 0;
    while (text.length() - from > size) {
      int to = cut(text, from, size);
      pieces.add(text.substring(from, to));
      from = to;
    }
    if (from < text.length()) {
      pieces.add(text.substring(from));
    }
    return pieces;
  }

  /**
   * Where a piece of at most that size ends that begins at {@code from}, with more text after it.
   */
  public static int cut(String text, int from, int size) {
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
