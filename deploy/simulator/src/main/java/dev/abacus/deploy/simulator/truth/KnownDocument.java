package dev.abacus.deploy.simulator.truth;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is true of a document.
 *
 * @param id its id
 * @param answers true value by field: a value, a list or JSON null
 * @param conditions by condition ({@link TextNormalizer#condition normalised}): true, false, or the
 *     list of the ids (or texts) that it holds with, for joins
 * @param evidence the spans that show it, by field or normalised condition (white space collapsed)
 * @param difficulty 0..1 by field or normalised condition
 * @param verbatim the true values that stand in the document (white space collapsed)
 */
public record KnownDocument(
    String id,
    Map<String, JsonNode> answers,
    Map<String, JsonNode> conditions,
    Map<String, List<String>> evidence,
    Map<String, Double> difficulty,
    Set<String> verbatim) {

  /** Difficulty of what the file says nothing about. */
  public static final double USUAL_DIFFICULTY = 0.5;

  /** Copies. */
  public KnownDocument {
    answers = Map.copyOf(answers);
    conditions = Map.copyOf(conditions);
    evidence = Map.copyOf(evidence);
    difficulty = Map.copyOf(difficulty);
    verbatim = Set.copyOf(verbatim);
  }

  /** Difficulty of a field or normalised condition. */
  public double difficultyOf(String key) {
    return difficulty.getOrDefault(key, USUAL_DIFFICULTY);
  }

  /** Spans that show a field or normalised condition; empty if the file names none. */
  public List<String> evidenceOf(String key) {
    return evidence.getOrDefault(key, List.of());
  }
}
