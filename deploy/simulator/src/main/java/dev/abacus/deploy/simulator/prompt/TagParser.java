package dev.abacus.deploy.simulator.prompt;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes tagged sections from a text and keeps the rest. */
final class TagParser {

  private String rest;

  TagParser(String text) {
    this.rest = text;
  }

  /** Removes the first section with this tag and returns its content, or null. */
  @Nullable String take(String tag) {
    int open = rest.indexOf("<" + tag);
    while (open >= 0 && !endsName(open + tag.length() + 1)) {
      open = rest.indexOf("<" + tag, open + 1);
    }
    int from = open < 0 ? -1 : rest.indexOf('>', open);
    int to = from < 0 ? -1 : rest.indexOf("</" + tag + ">", from);
    if (to < 0) {
      return null;
    }
    String inside = rest.substring(from + 1, to);
    rest = rest.substring(0, open) + "\n" + rest.substring(to + tag.length() + 3);
    return inside;
  }

  /** Removes all sections with this tag and returns their raw contents. */
  List<String> takeRaw(String tag) {
    List<String> all = new ArrayList<>();
    @Nullable String next;
    while ((next = take(tag)) != null) {
      all.add(next);
    }
    return all;
  }

  /** Removes all sections with this tag and returns their unescaped contents. */
  List<String> takeAll(String tag) {
    return takeRaw(tag).stream().map(inside -> unescape(inside.strip())).toList();
  }

  /** Removes the first section with this tag and returns its unescaped content, or null. */
  @Nullable String takeText(String tag) {
    @Nullable String inside = take(tag);
    return inside == null ? null : unescape(inside.strip());
  }

  /** The remaining text. */
  String rest() {
    return rest;
  }

  static String unescape(String text) {
    return text.contains("<\\/") ? text.replace("<\\/", "</") : text;
  }

  private boolean endsName(int at) {
    return at < rest.length() && (rest.charAt(at) == '>' || rest.charAt(at) == ' ');
  }
}
