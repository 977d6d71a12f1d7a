package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Normalizes JSON values for comparison by metrics. */
final class LabelValues {

  private LabelValues() {}

  /** A text that is equal for values that are equal under {@code exact}. */
  static String canonical(JsonNode value) {
    if (value.isTextual()) {
      return '"' + value.textValue().strip().toLowerCase(Locale.ROOT) + '"';
    }
    if (value.isNumber()) {
      return number(value);
    }
    if (value.isArray()) {
      return list(value).stream()
          .map(LabelValues::canonical)
          .collect(Collectors.joining(",", "[", "]"));
    }
    if (value.isObject()) {
      Map<String, String> sorted = new TreeMap<>();
      value.properties().forEach(e -> sorted.put(e.getKey(), canonical(e.getValue())));
      return sorted.toString();
    }
    return isAbsent(value) ? "null" : value.toString();
  }

  private static String number(JsonNode value) {
    if (!Double.isFinite(value.doubleValue())) {
      return value.toString();
    }
    BigDecimal number = value.decimalValue();
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toString();
  }

  /** The members of a list; a single value is a list of one, null or missing an empty list. */
  static List<JsonNode> list(JsonNode value) {
    List<JsonNode> members = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(members::add);
    } else if (!isAbsent(value)) {
      members.add(value);
    }
    return members;
  }

  /** The members of a list as a set; for a text the set of its words. */
  static Set<String> set(JsonNode value) {
    return value.isTextual() ? WordSets.of(value.textValue()) : distinct(list(value));
  }

  /** The members in order, without duplicates, blank texts and null. */
  static Set<String> distinct(List<JsonNode> members) {
    return members.stream()
        .filter(member -> !isAbsent(member) && !isBlank(member))
        .map(LabelValues::canonical)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The words of all texts in a value; members of other types are one term each. */
  static Set<String> terms(JsonNode value) {
    Set<String> terms = new LinkedHashSet<>();
    for (JsonNode member : list(value)) {
      if (member.isTextual()) {
        terms.addAll(WordSets.of(member.textValue()));
      } else if (!isAbsent(member)) {
        terms.add(canonical(member));
      }
    }
    return terms;
  }

  static boolean isAbsent(JsonNode value) {
    return value.isNull() || value.isMissingNode();
  }

  private static boolean isBlank(JsonNode value) {
    return value.isTextual() && value.textValue().isBlank();
  }
}
