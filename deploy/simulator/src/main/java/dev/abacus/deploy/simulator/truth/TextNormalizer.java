package dev.abacus.deploy.simulator.truth;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Normalizes texts for comparison. */
public final class TextNormalizer {

  private TextNormalizer() {}

  /** Collapses white space to single spaces and trims. */
  public static String collapse(String text) {
    StringBuilder out = new StringBuilder(text.length());
    boolean blank = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isWhitespace(c) || c == '\u00a0') {
        if (!blank) {
          out.append(' ');
        }
        blank = true;
      } else {
        out.append(c);
        blank = false;
      }
    }
    int end = out.length();
    return out.substring(0, end > 0 && blank ? end - 1 : end);
  }

  /** The key of a condition: collapsed, in lower case, without trailing punctuation. */
  public static String condition(String text) {
    String key = collapse(text).toLowerCase(Locale.ROOT);
    int end = key.length();
    while (end > 0 && !Character.isLetterOrDigit(key.charAt(end - 1))) {
      end--;
    }
    return key.substring(0, end);
  }

  /** The collapsed text of a JSON value: the content of a string, otherwise its JSON. */
  public static String of(JsonNode value) {
    return collapse(value.isTextual() ? value.textValue() : value.toString());
  }
}
