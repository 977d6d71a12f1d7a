package dev.abacus.deploy.simulator.truth;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ground truth of a document.
 *
 * @param answers right value by field: a value, a list or JSON null
 * @param conditions by normalized condition ({@link TextNormalizer#condition}): true, false, or for
 *     joins the list of the ids (or texts) with which the condition holds
 * @param evidence spans that show the value, by field or normalized condition, white space
 *     collapsed
 * @param difficulty in [0, 1], by field or normalized condition
 * @param verbatim right values that the document contains word for word, white space collapsed
 */
public record KnownDocument(
    String id,
    Map<String, JsonNode> answers,
    Map<String, JsonNode> conditions,
    Map<String, List<String>> evidence,
    Map<String, Double> difficulty,
    Set<String> verbatim) {

  /** The difficulty if the answers file does not state one. */
  public static final double USUAL_DIFFICULTY = 0.5;

  public KnownDocument {
    answers = Map.copyOf(answers);
    conditions = Map.copyOf(conditions);
    evidence = Map.copyOf(evidence);
    difficulty = Map.copyOf(difficulty);
    verbatim = Set.copyOf(verbatim);
  }

  /** Difficulty of a field or normalized condition. */
  public double difficultyOf(String key) {
    return difficulty.getOrDefault(key, USUAL_DIFFICULTY);
  }

  /** Spans that show a field or normalized condition; empty if the file names none. */
  public List<String> evidenceOf(String key) {
    return evidence.getOrDefault(key, List.of());
  }
}
