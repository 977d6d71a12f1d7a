package dev.abacus.deploy.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One document with the truth about it.
 *
 * @param split which part of the data set it belongs to
 * @param answers by field
 * @param conditions by condition of a filter
 * @param evidence verbatim parts of the document that decide, by field or condition
 * @param difficulty in [0, 1], by field or condition
 */
record LabelledDocument(
    String id,
    String split,
    ObjectNode document,
    Map<String, JsonNode> answers,
    Map<String, Boolean> conditions,
    Map<String, List<String>> evidence,
    Map<String, Double> difficulty) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  LabelledDocument {
    answers = Collections.unmodifiableMap(new LinkedHashMap<>(answers));
    conditions = Collections.unmodifiableMap(new LinkedHashMap<>(conditions));
    evidence = Collections.unmodifiableMap(new LinkedHashMap<>(evidence));
    difficulty = Collections.unmodifiableMap(new LinkedHashMap<>(difficulty));
  }

  /** A line of the simulated endpoint's {@code answers.jsonl}. */
  ObjectNode answer() {
    ObjectNode line = JSON.objectNode().put("id", id);
    line.set("document", document);
    line.putObject("answers").setAll(answers);
    ObjectNode conditionsNode = line.putObject("conditions");
    conditions.forEach(conditionsNode::put);
    ObjectNode evidenceNode = line.putObject("evidence");
    evidence.forEach((key, spans) -> spans.forEach(evidenceNode.withArrayProperty(key)::add));
    ObjectNode difficultyNode = line.putObject("difficulty");
    difficulty.forEach((key, value) ->
        difficultyNode.put(key, BigDecimal.valueOf(value).setScale(2, RoundingMode.HALF_UP)));
    return line;
  }
}
