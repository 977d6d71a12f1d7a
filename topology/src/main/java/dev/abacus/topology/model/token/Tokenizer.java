package dev.abacus.topology.model.token;

/** Counts the tokens of texts as a model family does. Implementations are thread-safe. */
public interface Tokenizer {

  /** The tokens of a text. Special tokens such as {@code <|endoftext|>} count as plain text. */
  TokenCount count(String text);

  /**
   * A prefix of a text that has at most this many tokens, and is as long as the error of the count
   * allows.
   *
   * @param maxTokens at least 1
   */
  String truncate(String text, int maxTokens);

  /** Upper bound of the tokens of a text, without counting: a token has at least one byte. */
  static long maxTokens(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      bytes += each < 0x80 ? 1 : each < 0x800 ? 2 : 3;
    }
    return bytes + 1;
  }
}
