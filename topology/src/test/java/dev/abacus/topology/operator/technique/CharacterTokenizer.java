package dev.abacus.topology.operator.technique;

import dev.abacus.topology.model.token.TokenCount;
import dev.abacus.topology.model.token.Tokenizer;

/** Counts each character as a token, so that tests can state sizes. */
record CharacterTokenizer() implements Tokenizer {

  @Override
  public TokenCount count(String text) {
    return TokenCount.exact(text.length());
  }

  @Override
  public String truncate(String text, int maxTokens) {
    return text.substring(0, Math.min(maxTokens, text.length()));
  }
}
