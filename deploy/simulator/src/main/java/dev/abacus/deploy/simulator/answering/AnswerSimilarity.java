package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.truth.TextNormalizer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Compares answers by meaning rather than by spelling. */
final class AnswerSimilarity {

  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");
  private static final int LONG_TEXT = 4;
  private static final double ENOUGH = 0.5;

  private AnswerSimilarity() {}

  /**
   * Whether two values are equal: numbers by value, texts by their words (long texts by half of
   * them), lists by items, objects by most of their fields.
   */
  static boolean same(JsonNode a, JsonNode b) {
    if (nothing(a) || nothing(b)) {
      return nothing(a) && nothing(b);
    }
    if (a.isNumber() && b.isNumber()) {
      return Math.abs(a.doubleValue() - b.doubleValue()) < 1e-9;
    }
    if (a.isArray() || b.isArray()) {
      return a.isArray() && b.isArray() && f1(a, b) >= 0.999;
    }
    if (a.isObject() && b.isObject()) {
      return sameFields(a, b);
    }
    return sameText(TextNormalizer.of(a), TextNormalizer.of(b));
  }

  /** F1 of a list against the true list, in [0, 1]. */
  static double f1(JsonNode truth, JsonNode said) {
    if (truth.isEmpty() && said.isEmpty()) {
      return 1;
    }
    int hits = 0;
    for (JsonNode item : truth) {
      hits += contains(said, item) ? 1 : 0;
    }
    return Math.min(1, 2.0 * hits / (truth.size() + said.size()));
  }

  /** Whether a list contains an equal item. */
  static boolean contains(Iterable<JsonNode> list, JsonNode item) {
    return indexOf(list, item) >= 0;
  }

  /** The place of the first item of a list that is the same; -1 if there is none. */
  static int indexOf(Iterable<JsonNode> list, JsonNode item) {
    int place = 0;
    for (JsonNode other : list) {
      if (same(other, item)) {
        return place;
      }
      place++;
    }
    return -1;
  }

  private static boolean nothing(JsonNode node) {
    return node.isNull()
        || node.isMissingNode()
        || (node.isTextual() && node.textValue().isBlank())
        || (node.isArray() && node.isEmpty());
  }

  private static boolean sameFields(JsonNode a, JsonNode b) {
    int same = 0;
    for (Map.Entry<String, JsonNode> field : a.properties()) {
      same += same(field.getValue(), b.path(field.getKey())) ? 1 : 0;
    }
    return same * 2 > a.size();
  }

  private static boolean sameText(String a, String b) {
    Set<String> left = words(a);
    Set<String> right = words(b);
    if (left.size() <= LONG_TEXT && right.size() <= LONG_TEXT) {
      return left.equals(right);
    }
    Set<String> common = new HashSet<>(left);
    common.retainAll(right);
    int union = left.size() + right.size() - common.size();
    return union > 0 && common.size() >= ENOUGH * union;
  }

  private static Set<String> words(String text) {
    return new HashSet<>(Arrays.asList(NO_WORD.split(text.toLowerCase(Locale.ROOT).strip(), -1)));
  }
}
