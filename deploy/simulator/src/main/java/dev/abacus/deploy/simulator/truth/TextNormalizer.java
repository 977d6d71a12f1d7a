package dev.abacus.deploy.simulator.truth;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.regex.Pattern;

/** Normalizes texts for comparison. */
public final class TextNormalizer {

  private static final Pattern BLANK = Pattern.compile("[\\p{javaWhitespace}\\u00a0]+");

  private TextNormalizer() {}

  /** Collapses white space to single spaces and trims. */
  public static String collapse(String text) {
    return BLANK.matcher(text).replaceAll(" ").strip();
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
