package dev.abacus.topology.model.embedding;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Splits a text into pieces that all-MiniLM-L6-v2 takes whole. */
final class MiniLmTokenizer {

  /** 128 less the two special tokens. */
  static final int MOST_TOKENS = 126;

  /** Longer texts are halved without being counted: hardly any language has longer tokens. */
  private static final int LONG = MOST_TOKENS * 16;

  private MiniLmTokenizer() {}

  /** A piece of a text, and as the model reads it. */
  record Piece(String text, Encoding encoding) {

    /** Its tokens without the two special ones; at least 1. */
    int tokens() {
      return Math.max(1, encoding.getIds().length - 2);
    }
  }

  /** The pieces in order; together they are the text. */
  static List<Piece> of(String text) {
    List<Piece> pieces = new ArrayList<>();
    split(text, pieces);
    return pieces;
  }

  private static void split(String text, List<Piece> pieces) {
    if (text.isBlank()) {
      return;
    }
    if (text.length() <= LONG) {
      Piece piece = new Piece(text, Tokenizer.UNLIMITED.encode(text, true, false));
      if (piece.tokens() <= MOST_TOKENS || text.length() == 1) {
        pieces.add(piece);
        return;
      }
    }
    int middle = middle(text);
    split(text.substring(0, middle), pieces);
    split(text.substring(middle), pieces);
  }

  /** The white space closest to the middle; the middle itself if there is none near. */
  private static int middle(String text) {
    int half = text.length() / 2;
    for (int distance = 0; distance < half / 2; distance++) {
      if (Character.isWhitespace(text.charAt(half + distance))) {
        return half + distance;
      }
      if (Character.isWhitespace(text.charAt(half - distance))) {
        return half - distance;
      }
    }
    return Character.isLowSurrogate(text.charAt(half)) && half > 1 ? half - 1 : half;
  }

  /** The model's own tokenizer, with its silent limit lifted. */
  private static final class Tokenizer {

    static final HuggingFaceTokenizer UNLIMITED = load();

    private Tokenizer() {}

    private static HuggingFaceTokenizer load() {
      try (InputStream json =
          Objects.requireNonNull(
              Tokenizer.class.getResourceAsStream("/all-minilm-l6-v2-q-tokenizer.json"))) {
        return HuggingFaceTokenizer.newInstance(
            json, Map.of("padding", "false", "truncation", "false"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
