package dev.abacus.schemas.file;

import dev.abacus.schemas.document.InvalidDocumentException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeVisitor;

/**
 * The text of HTML as a reader sees it, by jsoup: the title, then the body with a line for each
 * block, a line for each row of a table with tabs between its cells, and dashes before the items of
 * lists. Addresses of links are left out.
 */
final class Html implements NodeVisitor {

  private static final int START_BYTES = 1024;
  private static final String UNSEEN = "script, style, noscript, template, [hidden]";

  private final StringBuilder text = new StringBuilder();

  private Html() {}

  /** Whether the first bytes of a file are those of HTML. */
  static boolean is(byte[] file) {
    String start =
        new String(file, 0, Math.min(START_BYTES, file.length), StandardCharsets.ISO_8859_1)
            .replace("\u00ef\u00bb\u00bf", "")
            .strip()
            .toLowerCase(Locale.ROOT);
    return start.startsWith("<")
        && Stream.of("<!doctype html", "<html", "<head", "<body").anyMatch(start::contains);
  }

  /**
   * The text.
   *
   * @throws InvalidDocumentException if the bytes are not in the encoding that they state, or not
   *     in UTF-8 if they state none
   */
  static String text(byte[] html) throws InvalidDocumentException {
    Document document;
    try {
      document = Jsoup.parse(new ByteArrayInputStream(html), null, "");
    } catch (IOException e) {
      throw new InvalidDocumentException("the HTML cannot be read: " + e.getMessage(), e);
    }
    if (document.charset().equals(StandardCharsets.UTF_8) && FileReading.utf8(html) == null) {
      throw new InvalidDocumentException("the HTML states no encoding, and is not in UTF-8");
    }
    Html reader = new Html();
    reader.text.append(document.title());
    reader.endLine();
    document.body().select(UNSEEN).remove();
    document.body().traverse(reader);
    return reader.text.toString().strip();
  }

  @Override
  public void head(Node node, int depth) {
    if (node instanceof TextNode words) {
      Element parent = words.parent();
      boolean verbatim = parent != null && parent.nameIs("pre");
      String shown = verbatim ? words.getWholeText() : words.text();
      text.append(atStart() ? shown.stripLeading() : shown);
    } else if (node instanceof Element element) {
      if (isCell(element)) {
        endWord();
        text.append(element.elementSiblingIndex() == 0 ? "" : "\t");
      } else if (element.isBlock() || element.nameIs("br")) {
        endLine();
      }
      text.append(element.nameIs("li") ? "- " : "");
    }
  }

  @Override
  public void tail(Node node, int depth) {
    if (node instanceof Element element && element.isBlock() && !isCell(element)) {
      endLine();
    }
  }

  private static boolean isCell(Element element) {
    return element.nameIs("td") || element.nameIs("th");
  }

  private boolean atStart() {
    return text.isEmpty() || Character.isWhitespace(text.charAt(text.length() - 1));
  }

  private void endWord() {
    while (!text.isEmpty() && text.charAt(text.length() - 1) == ' ') {
      text.setLength(text.length() - 1);
    }
  }

  private void endLine() {
    endWord();
    if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
      text.append('\n');
    }
  }
}
