package dev.abacus.topology.model;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingResult;
import com.knuddels.jtokkit.api.EncodingType;

/**
 * Counts tokens with OpenAI's {@code o200k_base} vocabulary. The count is exact for OpenAI models
 * since 2024. For other models it is usually too low, because their vocabularies are smaller.
 */
public final class Tokens {

  /** Tokens of an image of 1024 × 1024 pixels in high detail, as OpenAI charges them. */
  private static final int PER_IMAGE = 765;

  private Tokens() {}

  /** The tokens of a text. Special tokens such as {@code <|endoftext|>} count as plain text. */
  public static int count(String text) {
    return Vocabulary.O200K.countTokensOrdinary(text);
  }

  /** The tokens of a request, including its response schema. */
  public static int count(ModelRequest request) {
    int tokens = count(request.system());
    for (Content part : request.content()) {
      tokens += part instanceof Content.Text(String text) ? count(text) : PER_IMAGE;
    }
    ResponseSchema schema = request.responseSchema();
    return schema == null ? tokens : tokens + count(schema.schema().toString());
  }

  /** The longest prefix of a text that has at most this many tokens. */
  public static String truncate(String text, int maxTokens) {
    if (maxBytes(text) <= maxTokens) {
      return text;
    }
    EncodingResult encoded = Vocabulary.O200K.encodeOrdinary(text, maxTokens);
    return encoded.isTruncated() ? Vocabulary.O200K.decode(encoded.getTokens()) : text;
  }

  /** An upper bound of {@link #count(ModelRequest)} that needs no tokenizer. */
  static long upperBound(ModelRequest request) {
    long bound = maxBytes(request.system());
    for (Content part : request.content()) {
      bound += part instanceof Content.Text(String text) ? maxBytes(text) : PER_IMAGE;
    }
    ResponseSchema schema = request.responseSchema();
    return schema == null ? bound : bound + maxBytes(schema.schema().toString());
  }

  /** A token has at least one byte, and a UTF-16 unit at most three bytes in UTF-8. */
  private static long maxBytes(String text) {
    return 3L * text.length();
  }

  /** Loaded at the first count, which takes half a second. */
  private static final class Vocabulary {
    static final Encoding O200K =
        Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);

    private Vocabulary() {}
  }
}
