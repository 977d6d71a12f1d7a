package dev.abacus.schemas.secret;

import org.jspecify.annotations.Nullable;

/** A key or password. It is never printed; only {@link #value} returns its text. */
public final class Secret {

  private final String value;

  private Secret(String value) {
    this.value = value;
  }

  /** A secret with this text. */
  public static Secret of(String value) {
    return new Secret(value);
  }

  /**
   * An API key, without the spaces and line ends around it that files and shells leave there.
   *
   * @param source where the value was found, such as {@code environment variable X}, for messages
   * @return null if the value is null or blank
   * @throws IllegalArgumentException if the key has a character that no key has: white space, a
   *     control character, or one outside ASCII. The message names the source and the position, and
   *     not the key.
   */
  public static @Nullable Secret apiKey(String source, @Nullable String value) {
    String key = value == null ? "" : value.strip();
    for (int i = 0; i < key.length(); i++) {
      char character = key.charAt(i);
      if (character <= ' ' || character >= 0x7f) {
        throw new IllegalArgumentException(
            "the API key of the %s is not valid: character %d of %d is %s. Set it to the key alone, on one line."
                .formatted(source, i + 1, key.length(), name(character)));
      }
    }
    return key.isEmpty() ? null : new Secret(key);
  }

  private static String name(char character) {
    return switch (character) {
      case '\r' -> "a carriage return";
      case '\n' -> "a line feed";
      case ' ' -> "a space";
      default ->
          character < ' ' || character == 0x7f ? "a control character" : "not an ASCII character";
    };
  }

  /** The text itself, for a request header. */
  public String value() {
    return value;
  }

  @Override
  public String toString() {
    return "[hidden]";
  }
}
