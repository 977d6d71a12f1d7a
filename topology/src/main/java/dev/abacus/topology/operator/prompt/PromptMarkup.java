package dev.abacus.topology.operator.prompt;

import java.util.regex.Pattern;

/**
 * Writes the sections of a prompt. Closing tags of sections inside the text are escaped in all
 * spellings, so that a text cannot end its section.
 */
public final class PromptMarkup {

  private static final Pattern CLOSING_TAG =
      Pattern.compile(
          "<(?=\\s*/\\s*(?:instruction|condition|fields?|document|output|repair|item|proposal|draft"
              + "|critique|missing|part|step)\\b)",
          Pattern.CASE_INSENSITIVE);

  private PromptMarkup() {}

  /** The text with its closing tags escaped. */
  public static String escape(String text) {
    return text.indexOf('<') < 0 ? text : CLOSING_TAG.matcher(text).replaceAll("<\\\\");
  }

  /** A section whose tags are alone on their lines. */
  public static String section(String tag, String text) {
    return "<" + tag + ">\n" + escape(text) + "\n</" + tag + ">";
  }

  /** A section with the attribute {@code n}. */
  public static String numbered(String tag, int number, String text) {
    return "<%s n=\"%d\">\n%s\n</%s>".formatted(tag, number, escape(text), tag);
  }

  /** The text of an attribute value, for use between double quotes. */
  static String attribute(String text) {
    return text.replace("&", "&amp;")
        .replace("\"", "&quot;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\r", "&#13;")
        .replace("\n", "&#10;");
  }
}
