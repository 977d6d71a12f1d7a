package dev.abacus.topology.model.embedding;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits texts into chunks of bounded size. The end of a chunk depends only on the text since the
 * end of the previous chunk. Parts of a text that consist of whole chunks of {@link #SIZE}
 * characters therefore share chunks, and each chunk is embedded once for all of them.
 */
public final class TextChunks {

  /**
   * Characters of a chunk that is embedded as one text: about 100 tokens, so that nearly every
   * chunk fits an embedder with a limit of 128 tokens.
   */
  public static final int SIZE = 500;

  private TextChunks() {}

  /**
   * The chunks of a text in order. Their concatenation is the text. A chunk ends after white space
   * if its last fifth contains any.
   *
   * @param size maximum characters of a chunk; at least 1
   */
  public static List<String> of(String text, int size) {
    List<String> chunks = new ArrayList<>();
    int from = 0;
    while (text.length() - from > size) {
      int to = end(text, from, size);
      chunks.add(text.substring(from, to));
      from = to;
    }
    if (from < text.length()) {
      chunks.add(text.substring(from));
    }
    return chunks;
  }

  /**
   * The end of the chunk that begins at {@code from}.
   *
   * @param size maximum characters of the chunk; the text must be longer than {@code from + size}
   */
  public static int end(String text, int from, int size) {
    int limit = from + size;
    for (int at = limit; at > limit - size / 5; at--) {
      if (Character.isWhitespace(text.charAt(at - 1))) {
        return at;
      }
    }
    boolean splitsPair =
        Character.isHighSurrogate(text.charAt(limit - 1))
            && Character.isLowSurrogate(text.charAt(limit));
    return splitsPair && size > 1 ? limit - 1 : limit;
  }
}
