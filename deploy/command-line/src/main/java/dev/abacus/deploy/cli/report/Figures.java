package dev.abacus.deploy.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.kafka.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The figures of a measurement as text: the same as in its JSON, one line each. A list of records
 * is a table with a column for each of their figures.
 */
public final class Figures {

  private final Table single = new Table("figure", "value");
  private final List<String> tables = new ArrayList<>();

  private Figures() {}

  /** Returns the lines of a report, which Jackson can write as an object or a list of objects. */
  public static List<String> lines(Object report) {
    Figures figures = new Figures();
    figures.add("", Json.tree(report));
    List<String> lines = new ArrayList<>(figures.tables);
    if (!figures.single.isEmpty()) {
      figures.single.lines().stream().skip(1).forEach(lines::add);
    }
    return lines;
  }

  private void add(String name, JsonNode node) {
    if (node.isObject()) {
      node.properties().forEach(part -> add(joined(name, part.getKey()), part.getValue()));
    } else if (node.isArray() && !node.isEmpty() && node.path(0).isObject()) {
      tables.addAll(table(name, node));
    } else {
      single.row(name, text(node));
    }
  }

  private static List<String> table(String name, JsonNode list) {
    List<Map<String, String>> rows = new ArrayList<>();
    for (JsonNode item : list) {
      Map<String, String> row = new LinkedHashMap<>();
      cells("", item, row);
      rows.add(row);
    }
    List<String> columns = rows.stream().flatMap(row -> row.keySet().stream()).distinct().toList();
    Table table = new Table(columns.toArray(String[]::new));
    rows.forEach(
        row -> table.row(columns.stream().<Object>map(key -> row.getOrDefault(key, "")).toArray()));
    List<String> lines = new ArrayList<>(table.lines());
    if (!name.isEmpty()) {
      lines.addFirst(name + ":");
    }
    return lines;
  }

  private static void cells(String name, JsonNode node, Map<String, String> row) {
    if (node.isObject()) {
      node.properties().forEach(part -> cells(joined(name, part.getKey()), part.getValue(), row));
    } else {
      row.put(name, text(node));
    }
  }

  /** {@code firstCall} and {@code p50Millis} become {@code first call p50 millis}. */
  private static String joined(String name, String key) {
    String words = key.replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    return name.isEmpty() ? words : name + " " + words;
  }

  private static String text(JsonNode value) {
    if (value.isFloatingPointNumber()) {
      double number = value.doubleValue();
      return String.format(Locale.ROOT, Math.abs(number) < 100 ? "%.3f" : "%.0f", number);
    }
    if (value.isArray()) {
      return value.valueStream().map(Figures::text).collect(Collectors.joining(" – "));
    }
    return value.isNull() ? "" : value.asText();
  }
}
