package dev.abacus.topology.operator.technique;

import dev.abacus.topology.model.embedding.TextChunks;
import dev.abacus.topology.model.token.Tokenizer;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts texts into chunks of a maximum number of tokens, as the model counts them. Where the count
 * is an estimate, the upper end of its interval counts.
 *
 * @param tokenizer counts as the model that reads the chunks
 */
record TokenChunks(Tokenizer tokenizer) {

  /** Bounds the text that is examined for one chunk. Few texts have as many per token. */
  private static final int MAX_CHARACTERS_PER_TOKEN = 8;

  /** The most tokens that a text can have. */
  long count(String text) {
    return tokenizer.count(text).high();
  }

  /** Whether a text may have more tokens. */
  boolean exceeds(String text, int tokens) {
    return text.length() > (long) MAX_CHARACTERS_PER_TOKEN * tokens || count(text) > tokens;
  }

  /**
   * The start of the longest end of a text, counted in pieces of {@link TextChunks#SIZE}
   * characters.
   *
   * @param size maximum tokens of the end, at least 0
   */
  int startOfTail(String text, int size) {
    int least = (int) Math.max(0, text.length() - (long) MAX_CHARACTERS_PER_TOKEN * size);
    int start = text.length();
    long left = size;
    while (start > least) {
      int piece = whole(text, Math.max(least, start - TextChunks.SIZE));
      long tokens = count(text.substring(piece, start));
      if (tokens > left) {
        return startWithin(text, piece, start, left);
      }
      left -= tokens;
      start = piece;
    }
    return start;
  }

  /** The next position that does not split a pair of surrogates. */
  private static int whole(String text, int at) {
    return at < text.length() && Character.isLowSurrogate(text.charAt(at)) ? at + 1 : at;
  }

  /** The first start after {@code from} of a text that ends at {@code to} and has few tokens. */
  private int startWithin(String text, int from, int to, long tokens) {
    int tooMany = from;
    int fits = to;
    while (fits - tooMany > 1) {
      int middle = (tooMany + fits) >>> 1;
      if (count(text.substring(whole(text, middle), to)) <= tokens) {
        fits = middle;
      } else {
        tooMany = middle;
      }
    }
    return whole(text, fits);
  }

  /**
   * The chunks of a text in order. Concatenated, they are the text. A chunk consists of whole
   * {@link TextChunks}, so that their embeddings are reused across sizes; a text chunk that exceeds
   * the size is cut by itself.
   *
   * @param size maximum tokens of a chunk, at least 1
   */
  List<String> of(String text, int size) {
    List<String> chunks = new ArrayList<>();
    StringBuilder chunk = new StringBuilder();
    long tokens = 0;
    for (String piece : TextChunks.of(text, TextChunks.SIZE)) {
      long ofPiece = count(piece);
      if (tokens + ofPiece > size && !chunk.isEmpty()) {
        chunks.add(chunk.toString());
        chunk.setLength(0);
        tokens = 0;
      }
      if (ofPiece > size) {
        cut(piece, size, chunks);
      } else {
        chunk.append(piece);
        tokens += ofPiece;
      }
    }
    if (!chunk.isEmpty()) {
      chunks.add(chunk.toString());
    }
    return chunks;
  }

  private void cut(String text, int size, List<String> chunks) {
    for (int from = 0; from < text.length(); ) {
      int to = end(text, from, size);
      chunks.add(text.substring(from, to));
      from = to;
    }
  }

  /**
   * The end of the longest chunk that begins at {@code from}. It is after white space if the last
   * fifth of the chunk contains any, and after at least one character.
   *
   * @param size maximum tokens of the chunk, at least 1
   */
  int end(String text, int from, int size) {
    int limit = (int) Math.min(text.length(), from + (long) MAX_CHARACTERS_PER_TOKEN * size);
    int to = from + tokenizer.truncate(text.substring(from, limit), size).length();
    if (to == text.length()) {
      return to;
    }
    return to == from ? text.offsetByCodePoints(from, 1) : TextChunks.end(text, from, to - from);
  }
}
