package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.kafka.Json;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * BANKING77 (Casanueva et al. 2020, CC BY 4.0): customer messages of a bank, each with one of 77
 * intents. The program triages messages: a map to the intent, and a filter for problems.
 *
 * <p>Reads {@code intents.jsonl} ({@code label}, {@code title}) and {@code messages.jsonl} ({@code
 * id}, {@code split}, {@code text}, {@code intent}). The resource {@code banking77-problems.txt}
 * states which intents are problems.
 *
 * <p>Difficulty of an intent: 0.1 + 0.7 × the highest Jaccard similarity between the words of its
 * name and another intent's name. Difficulty of the condition: 0.1, or 0.4 if a problem is phrased
 * as a question.
 */
final class Banking77 {

  static final String CONDITION = "The customer reports that something went wrong.";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Path folder;
  private final Map<String, Boolean> problems = problems();
  private final Map<String, Double> difficulty = new LinkedHashMap<>();

  private Banking77(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads the data set.
   *
   * @throws dev.abacus.deploy.file.InvalidFileException if a file is missing or a line is malformed
   */
  static Dataset read(Path folder) {
    return new Banking77(folder).read();
  }

  private Dataset read() {
    for (JsonLines.Line line : JsonLines.read(folder.resolve("intents.jsonl"))) {
      String label = line.text("label");
      if (!problems.containsKey(label)) {
        throw line.wrong("'" + label + "' is not one of the 77 intents of BANKING77");
      }
      difficulty.put(label, 0.0);
    }
    difficulty.replaceAll((label, _) -> 0.1 + 0.7 * likeness(label, difficulty.keySet()));
    List<LabelledDocument> documents =
        JsonLines.read(folder.resolve("messages.jsonl")).stream().map(this::message).toList();
    // Quoted, because one label ends with a question mark.
    String intents = Json.tree(difficulty.keySet()).toString();
    String program = Dataset.resource("banking77.yaml").replace("${intents}", intents);
    return new Dataset(program, "messages", documents, Map.of());
  }

  private LabelledDocument message(JsonLines.Line line) {
    String text = line.text("text");
    String intent = line.text("intent");
    Double intentDifficulty = difficulty.get(intent);
    Boolean problem = problems.get(intent);
    if (intentDifficulty == null || problem == null) {
      throw line.wrong("the intent '" + intent + "' is not in intents.jsonl");
    }
    ObjectNode document = JSON.objectNode().put("id", line.text("id")).put("text", text);
    return LabelledDocument.of(line.text("id"), line.text("split"), document)
        .label("is-problem", JSON.booleanNode(problem))
        .label("classify", JSON.objectNode().put("intent", intent))
        .answer("intent", JSON.textNode(intent), List.of(text), intentDifficulty)
        .condition(
            CONDITION, JSON.booleanNode(problem), List.of(text), problem && asks(text) ? 0.4 : 0.1);
  }

  private static boolean asks(String text) {
    return text.strip().endsWith("?");
  }

  /** Returns the highest Jaccard similarity to the words of any other label, in [0, 1]. */
  private static double likeness(String label, Set<String> labels) {
    Set<String> words = words(label);
    return labels.stream()
        .filter(other -> !other.equals(label))
        .mapToDouble(other -> jaccard(words, words(other)))
        .max()
        .orElse(0);
  }

  private static double jaccard(Set<String> some, Set<String> others) {
    Set<String> common = new HashSet<>(some);
    common.retainAll(others);
    Set<String> all = new HashSet<>(some);
    all.addAll(others);
    return (double) common.size() / all.size();
  }

  private static Set<String> words(String label) {
    return new HashSet<>(Arrays.asList(label.toLowerCase(Locale.ROOT).split("[^a-z]+", 0)));
  }

  /** Returns whether each of the 77 intents is a problem, by intent. */
  private static Map<String, Boolean> problems() {
    Map<String, Boolean> problems = new LinkedHashMap<>();
    Dataset.resource("banking77-problems.txt")
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split(" ", 2))
        .forEach(parts -> problems.put(parts[0], parts[1].equals("yes")));
    return problems;
  }
}
