package dev.abacus.topology.model.token;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.CharSpan;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/** Counts with the vocabulary of a {@code tokenizer.json}, as Hugging Face models publish it. */
public record HuggingFaceVocabulary(HuggingFaceTokenizer vocabulary) implements Tokenizer {

  /**
   * Reads a {@code tokenizer.json}. Ignores the truncation that it may configure.
   *
   * @throws IOException if the content is unreadable or no tokenizer
   */
  static HuggingFaceVocabulary read(InputStream json) throws IOException {
    try {
      return new HuggingFaceVocabulary(
          HuggingFaceTokenizer.newInstance(
              json, Map.of("padding", "false", "truncation", "false")));
    } catch (RuntimeException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * The vocabulary of all-MiniLM-L6-v2, which is that of BERT. Loaded at the first use; needs the
   * {@link dev.abacus.topology.model.EmbedderPart}.
   */
  public static HuggingFaceVocabulary miniLm() {
    return MiniLm.VOCABULARY;
  }

  @Override
  public TokenCount count(String text) {
    return TokenCount.exact(encode(text).getIds().length);
  }

  @Override
  public String truncate(String text, int maxTokens) {
    Encoding encoded = encode(text);
    if (encoded.getIds().length <= maxTokens) {
      return text;
    }
    CharSpan[] spans = encoded.getCharTokenSpans();
    for (int last = maxTokens - 1; last >= 0; last--) {
      if (spans[last] != null) {
        // Spans count Unicode code points.
        return text.substring(0, text.offsetByCodePoints(0, spans[last].getEnd()));
      }
    }
    return "";
  }

  private Encoding encode(String text) {
    return vocabulary.encode(text, false, false);
  }

  private static final class MiniLm {

    static final HuggingFaceVocabulary VOCABULARY = load();

    private MiniLm() {}

    private static HuggingFaceVocabulary load() {
      try (InputStream json =
          Objects.requireNonNull(
              MiniLm.class.getResourceAsStream("/all-minilm-l6-v2-q-tokenizer.json"))) {
        return read(json);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
