package dev.abacus.topology.model;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingResult;
import com.knuddels.jtokkit.api.EncodingType;

/**
 * Counts tokens with OpenAI's {@code o200k_base}. Exact for its models of 2024 and later; for
 * others an estimate from below, since hardly any vocabulary is larger.
 */
public final class Tokens {

  /** What OpenAI charges for an image of 1024 × 1024 pixels at high detail. */
  private static final int PER_IMAGE = 765;

  private Tokens() {}

  /** Tokens of a text; special tokens count as the plain text that they are in a document. */
  public static int count(String text) {
    return Vocabulary.O200K.countTokensOrdinary(text);
  }

  /** Tokens of a request, its response schema included. */
  public static int count(ModelRequest request) {
    int tokens = count(request.system());
    for (Content part : request.content()) {
      tokens += part instanceof Content.Text(String text) ? count(text) : PER_IMAGE;
    }
    ResponseSchema schema = request.responseSchema();
    return schema == null ? tokens : tokens + count(schema.schema().toString());
  }

  /** The text, or as much of its beginning as that many tokens hold. */
  public static String cut(String text, int mostTokens) {
    if (bytes(text) <= mostTokens) {
      return text;
    }
    EncodingResult encoded = Vocabulary.O200K.encodeOrdinary(text, mostTokens);
    return encoded.isTruncated() ? Vocabulary.O200K.decode(encoded.getTokens()) : text;
  }

  /** A bound on {@link #count(ModelRequest)} from above that costs nothing to find. */
  static long atMost(ModelRequest request) {
    long most = bytes(request.system());
    for (Content part : request.content()) {
      most += part instanceof Content.Text(String text) ? bytes(text) : PER_IMAGE;
    }
    ResponseSchema schema = request.responseSchema();
    return schema == null ? most : most + bytes(schema.schema().toString());
  }

  /** No token is shorter than a byte, and no UTF-16 unit longer than three. */
  private static long bytes(String text) {
    return 3L * text.length();
  }

  /** Loaded by the first who counts: it takes half a second. */
  private static final class Vocabulary {
    static final Encoding O200K =
        Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);

    private Vocabulary() {}
  }
}
