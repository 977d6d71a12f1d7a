package dev.abacus.topology.model;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Splits a text into pieces that all-MiniLM-L6-v2 takes whole. */
final class MiniLmPieces {

  /** 128 less the two special tokens. */
  static final int MOST_TOKENS = 126;

  /** Longer texts are halved without being counted: hardly any language has longer tokens. */
  private static final int LONG = MOST_TOKENS * 16;

  private MiniLmPieces() {}

  /** A piece of a text with its number of tokens. */
  record Piece(String text, int tokens) {}

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
      int tokens = Tokenizer.UNLIMITED.tokenize(text).size() - 2;
      if (tokens <= MOST_TOKENS || text.length() == 1) {
        pieces.add(new Piece(text, Math.max(1, tokens)));
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
