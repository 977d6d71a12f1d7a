package dev.abacus.deploy.simulator.prompt;

import dev.abacus.deploy.simulator.truth.TextNormalizer;
import java.util.ArrayList;
import java.util.List;

/**
 * The document texts in a prompt.
 *
 * @param texts one per field
 * @param fenced whether the texts are inside the tags of the prompt
 * @param collapsed all texts in order, white space collapsed; evidence is located in it
 */
public record DocumentSection(List<String> texts, boolean fenced, String collapsed) {

  public DocumentSection {
    texts = List.copyOf(texts);
  }

  /** Reads the contents of document tags. */
  static DocumentSection fenced(List<String> sections) {
    List<String> texts = new ArrayList<>();
    for (String section : sections) {
      List<String> fields = new TagParser(section).takeAll("field");
      if (fields.isEmpty() && !section.isBlank()) {
        texts.add(TagParser.unescape(section.strip()));
      }
      texts.addAll(fields);
    }
    return of(texts, true);
  }

  /** A document without any tags. */
  static DocumentSection bare(String text) {
    return of(text.isBlank() ? List.of() : List.of(text.strip()), false);
  }

  /** This section with more texts behind its own. */
  DocumentSection with(List<String> more) {
    List<String> all = new ArrayList<>(texts);
    all.addAll(more);
    return of(all, fenced);
  }

  private static DocumentSection of(List<String> texts, boolean fenced) {
    return new DocumentSection(texts, fenced, TextNormalizer.collapse(String.join("\n", texts)));
  }
}
