package dev.abacus.deploy.simulator.prompt;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes tagged sections out of a text and keeps what stands around them. */
final class TagParser {

  private String rest;

  TagParser(String text) {
    this.rest = text;
  }

  /** Takes out the first section of that name, or null. */
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

  /** Takes out all sections of that name as they are, for reading on. */
  List<String> takeRaw(String tag) {
    List<String> all = new ArrayList<>();
    @Nullable String next;
    while ((next = take(tag)) != null) {
      all.add(next);
    }
    return all;
  }

  /** Takes out all sections of that name. */
  List<String> takeAll(String tag) {
    List<String> all = new ArrayList<>();
    @Nullable String next;
    while ((next = take(tag)) != null) {
      all.add(unescape(next.strip()));
    }
    return all;
  }

  /** Takes out the first section of that name, without the escapes, or null. */
  @Nullable String takeText(String tag) {
    @Nullable String inside = take(tag);
    return inside == null ? null : unescape(inside.strip());
  }

  /** What is left. */
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
