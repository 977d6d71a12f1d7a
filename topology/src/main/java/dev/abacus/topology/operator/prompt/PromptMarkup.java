package dev.abacus.topology.operator.prompt;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

/**
 * Writes the sections of a prompt. A text inside a section cannot contain a tag of a section, so
 * that it can neither end its section nor begin one: a backslash follows the {@code <} of every
 * opening and closing tag, in all spellings that a model may take for the tag. These are upper
 * case, white space of any kind, invisible characters, letters and brackets that look alike, and
 * the tokens that separate messages in the chat templates of models, such as {@code <|im_end|>}.
 */
public final class PromptMarkup {

  /** The tags of sections. */
  private static final Set<String> TAGS =
      Set.of(
          "instruction",
          "condition",
          "field",
          "fields",
          "document",
          "output",
          "repair",
          "item",
          "proposal",
          "draft",
          "critique",
          "missing",
          "part",
          "step",
          "example",
          "answer");

  /** The tags of chat templates. */
  private static final Set<String> TEMPLATE_TAGS =
      Set.of("s", "bos", "eos", "sys", "start_of_turn", "end_of_turn");

  /** The tag of chat templates in square brackets. */
  private static final String SQUARE_TAG = "inst";

  private static final String OPENING_BRACKETS = "<＜﹤‹〈⟨❮[";
  private static final String CLOSING_BRACKETS = ">＞﹥›〉⟩❯";
  private static final String SLASHES = "/／∕⁄⧸";

  /** Letters that look like {@link #LATIN}, in the same order: Cyrillic, Greek, small capitals. */
  private static final String LOOK_ALIKE = "аеорсхуіѕԁԛьмткпгοαινρτκεσıᴀʙᴄᴅᴇɢɪᴋʟᴍɴᴏᴘʀᴛᴜꜱꜰ";

  private static final String LATIN = "aeopcxyisdqbmtknroaivptkesiabcdegiklmnoprtusf";

  /** Characters of the longest tag. */
  private static final int LONGEST = 13;

  private PromptMarkup() {}

  /** The text with its tags escaped. */
  public static String escape(String text) {
    StringBuilder escaped = null;
    int copied = 0;
    for (int i = 0; i < text.length(); i++) {
      if (OPENING_BRACKETS.indexOf(text.charAt(i)) >= 0 && isTag(text, i + 1)) {
        escaped = escaped == null ? new StringBuilder(text.length() + 16) : escaped;
        escaped.append(text, copied, i + 1).append('\\');
        copied = i + 1;
      }
    }
    return escaped == null ? text : escaped.append(text, copied, text.length()).toString();
  }

  /** Whether a tag continues at an index, behind its bracket. */
  private static boolean isTag(String text, int from) {
    StringBuilder name = new StringBuilder();
    int next = -1;
    for (int i = from; i < text.length() && name.length() <= LONGEST; ) {
      next = text.codePointAt(i);
      i += Character.charCount(next);
      boolean skipped =
          isInvisible(next) || (name.isEmpty() && (isSpace(next) || SLASHES.indexOf(next) >= 0));
      if (skipped) {
        continue;
      }
      if (name.isEmpty() && (next == '|' || next == '｜')) {
        return true;
      }
      String letters = fold(next);
      if (letters.isEmpty()) {
        break;
      }
      name.append(letters);
    }
    String tag = name.toString();
    if (text.charAt(from - 1) == '[') {
      return tag.equals(SQUARE_TAG) && next == ']';
    }
    return TAGS.contains(tag)
        || (TEMPLATE_TAGS.contains(tag) && CLOSING_BRACKETS.indexOf(next) >= 0);
  }

  private static boolean isInvisible(int character) {
    return switch (Character.getType(character)) {
      case Character.FORMAT,
          Character.NON_SPACING_MARK,
          Character.ENCLOSING_MARK,
          Character.UNASSIGNED,
          Character.PRIVATE_USE,
          Character.SURROGATE ->
          true;
      case Character.CONTROL -> !Character.isWhitespace(character);
      // Letters without a shape: Hangul fillers, and the blank Braille pattern.
      default ->
          character == 0x115F
              || character == 0x1160
              || character == 0x3164
              || character == 0xFFA0
              || character == 0x2800;
    };
  }

  private static boolean isSpace(int character) {
    return Character.isWhitespace(character) || Character.isSpaceChar(character);
  }

  /** The Latin letters, digits and underscores that a character looks like; empty for others. */
  private static String fold(int character) {
    if (character < 128) {
      return Character.isLetterOrDigit(character) || character == '_'
          ? Character.toString(Character.toLowerCase(character))
          : "";
    }
    String lower =
        Normalizer.normalize(Character.toString(character), Normalizer.Form.NFKD)
            .toLowerCase(Locale.ROOT);
    StringBuilder folded = new StringBuilder();
    lower
        .codePoints()
        .filter(part -> !isInvisible(part))
        .map(part -> {
          int at = LOOK_ALIKE.indexOf(part);
          return at < 0 ? part : LATIN.charAt(at);
        })
        .forEach(folded::appendCodePoint);
    boolean word =
        !folded.isEmpty()
            && folded.codePoints().allMatch(c -> Character.isLetterOrDigit(c) || c == '_');
    return word ? folded.toString() : "";
  }

  /** A section whose tags are alone on their lines. */
  public static String section(String tag, String text) {
    return "<" + tag + ">\n" + escape(text) + "\n</" + tag + ">";
  }

  /** A section with the attribute {@code n}. */
  public static String numbered(String tag, int number, String text) {
    return "<%s n=\"%d\">\n%s\n</%s>".formatted(tag, number, escape(text), tag);
  }

  /**
   * An example with its answer.
   *
   * @param document documents and outputs in their sections, with escaped texts
   */
  public static String example(int number, String document, String answer) {
    return "<example n=\"%d\">\n%s\n%s\n</example>"
        .formatted(number, document, section("answer", answer));
  }

  /** The text of an attribute value, for use between double quotes. */
  static String attribute(String text) {
    return escape(text)
        .replace("&", "&amp;")
        .replace("\"", "&quot;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\r", "&#13;")
        .replace("\n", "&#10;");
  }
}
