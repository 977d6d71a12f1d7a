package dev.abacus.topology.operator.prompt;

import java.util.regex.Pattern;

/**
 * Puts text into a section of a prompt so that nothing in the text can end the section: the slash
 * of any closing tag of ours is escaped, however the tag is spelt.
 */
public final class PromptMarkup {

  private static final Pattern CLOSING_TAG =
      Pattern.compile(
          "<(?=\\s*/\\s*(?:instruction|condition|fields?|document|output|repair|item|proposal|draft"
              + "|critique|missing|part|step)\\b)",
          Pattern.CASE_INSENSITIVE);

  private PromptMarkup() {}

  /** The text with the closing tags in it made harmless. */
  public static String escape(String text) {
    return text.indexOf('<') < 0 ? text : CLOSING_TAG.matcher(text).replaceAll("<\\\\");
  }

  /** A section whose tags stand alone on their lines. */
  public static String section(String tag, String text) {
    return "<" + tag + ">\n" + escape(text) + "\n</" + tag + ">";
  }

  /** One of several sections of a kind, told apart by an attribute. */
  public static String numbered(String tag, String attribute, int number, String text) {
    return "<%s %s=\"%d\">\n%s\n</%s>".formatted(tag, attribute, number, escape(text), tag);
  }

  /** A value between double quotes. */
  static String attribute(String text) {
    return text.replace("&", "&amp;")
        .replace("\"", "&quot;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\r", "&#13;")
        .replace("\n", "&#10;");
  }
}
