package dev.abacus.topology.model.embedding;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import dev.abacus.topology.model.token.HuggingFaceVocabulary;
import java.util.ArrayList;
import java.util.List;

/** Tokenizes texts for all-MiniLM-L6-v2, and halves texts that exceed its limit of tokens. */
final class MiniLmTokenizer {

  /** The limit of the model without its two special tokens. */
  static final int MAX_TOKENS = 126;

  /** Characters above which a text is halved without tokenizing; tokens are rarely longer. */
  private static final int MAX_CHARACTERS = MAX_TOKENS * 16;

  /** Without the truncation to 128 tokens that the configuration of the model sets. */
  private static final HuggingFaceTokenizer VOCABULARY =
      HuggingFaceVocabulary.miniLm().vocabulary();

  private MiniLmTokenizer() {}

  /** A part of a text and its tokens. */
  record Part(String text, Encoding encoding) {

    /** The number of tokens without the two special tokens; at least 1. */
    int tokens() {
      return Math.max(1, encoding.getIds().length - 2);
    }
  }

  /** The parts of a text in order; blank parts are left out. */
  static List<Part> split(String text) {
    List<Part> parts = new ArrayList<>();
    split(text, parts);
    return parts;
  }

  private static void split(String text, List<Part> parts) {
    if (text.isBlank()) {
      return;
    }
    if (text.length() <= MAX_CHARACTERS) {
      Part part = new Part(text, VOCABULARY.encode(text, true, false));
      if (part.tokens() <= MAX_TOKENS || text.length() == 1) {
        parts.add(part);
        return;
      }
    }
    int middle = middle(text);
    split(text.substring(0, middle), parts);
    split(text.substring(middle), parts);
  }

  /** The white space closest to the middle; the middle if its half of the text has none. */
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
}
