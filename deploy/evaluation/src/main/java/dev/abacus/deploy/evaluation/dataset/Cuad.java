package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.file.JsonLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * CUAD v1 (The Atticus Project, CC BY 4.0): contracts with the spans of 41 clause categories. The
 * program is a map to 41 lists of spans.
 *
 * <p>Reads {@code categories.jsonl} ({@code name}), {@code train.jsonl}, {@code validation.jsonl}
 * and, if present, {@code test.jsonl} ({@code id}, {@code text}, {@code clauses} by category, each
 * a list of {@code {start, text}}).
 *
 * <p>Difficulty: 0.3 for an absent clause; else 0.2 + 0.3 × min(1, characters of its longest span ÷
 * 1000) + 0.2 if it has several spans.
 */
final class Cuad {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int CATEGORIES = 41;

  private Cuad() {}

  /**
   * Reads the data set.
   *
   * @throws InvalidFileException if a file is missing or a line is malformed
   */
  static Dataset read(Path folder) {
    Path categoriesFile = folder.resolve("categories.jsonl");
    List<String> categories =
        JsonLines.read(categoriesFile).stream().map(line -> line.text("name")).toList();
    if (categories.stream().distinct().count() != CATEGORIES) {
      throw InvalidFileException.of(
          categoriesFile, "names %d categories; CUAD has 41".formatted(categories.size()));
    }
    return new Dataset(
        Dataset.resource("/dev/abacus/deploy/examples/contract-extraction/program.yaml"),
        "contracts",
        Dataset.readSplits(folder, (line, split) -> contract(line, split, categories)),
        Map.of());
  }

  /** Returns the program's field for a category: lower case, words joined by underscores. */
  static String field(String category) {
    return category.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
  }

  private static LabelledDocument contract(
      JsonLines.Line line, String split, List<String> categories) {
    String text = line.text("text");
    JsonNode clauses = line.object().get("clauses");
    ObjectNode document = JSON.objectNode().put("id", line.text("id"));
    if (line.object().has("contract_type")) {
      document.put("contract_type", line.text("contract_type"));
    }
    document.put("text", text);
    ObjectNode label = JSON.objectNode();
    LabelledDocument labelled =
        LabelledDocument.of(line.text("id"), split, document).label("extract", label);
    for (String category : categories) {
      List<String> spans = spans(line, clauses.get(category), category, text);
      ArrayNode answer = label.putArray(field(category));
      spans.forEach(answer::add);
      labelled.answer(field(category), answer, spans, difficulty(spans));
    }
    return labelled;
  }

  private static List<String> spans(
      JsonLines.Line line, @Nullable JsonNode clause, String category, String text) {
    if (clause == null || !clause.isArray()) {
      throw line.wrong("'clauses' has no list '" + category + "'");
    }
    List<String> spans = new ArrayList<>();
    for (JsonNode span : clause) {
      String words = span.path("text").asText();
      int start = span.path("start").asInt(-1);
      if (words.isEmpty() || start < 0 || !text.startsWith(words, start)) {
        throw line.wrong("a span of '" + category + "' is not in the text at its start");
      }
      spans.add(words);
    }
    return spans;
  }

  private static double difficulty(List<String> spans) {
    if (spans.isEmpty()) {
      return 0.3;
    }
    int longest = spans.stream().mapToInt(String::length).max().orElse(0);
    return 0.2 + 0.3 * Math.min(1, longest / 1000.0) + (spans.size() > 1 ? 0.2 : 0);
  }
}
