package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ValidationExample;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A document with its ground truth.
 *
 * @param split split of the data set
 * @param labels labels by operator id, as in validation examples
 * @param truth {@code answers}, {@code conditions}, {@code evidence} and {@code difficulty}, as in
 *     the answers file of the simulated endpoint
 */
public record LabelledDocument(
    String id, String split, ObjectNode document, ObjectNode labels, ObjectNode truth) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** A document without labels or answers, to which the methods below add them. */
  public static LabelledDocument of(String id, String split, ObjectNode document) {
    ObjectNode truth = JSON.objectNode();
    for (String part : List.of("answers", "conditions", "evidence", "difficulty")) {
      truth.putObject(part);
    }
    return new LabelledDocument(id, split, document, JSON.objectNode(), truth);
  }

  LabelledDocument withSplit(String other) {
    return new LabelledDocument(id, other, document, labels, truth);
  }

  /** Returns the document as an example of a source. */
  ValidationExample example(String source) {
    Map<String, JsonNode> byOperator = new LinkedHashMap<>();
    labels.properties().forEach(one -> byOperator.put(one.getKey(), one.getValue()));
    return new ValidationExample(id, source, Document.of(document), byOperator);
  }

  /** Returns a line of the validation file. */
  ObjectNode exampleLine(String source) {
    ObjectNode example = JSON.objectNode().put("id", id).put("source", source);
    example.set("document", document);
    example.set("labels", labels);
    return example;
  }

  /** Returns a line of the labels file. */
  ObjectNode labelLine() {
    ObjectNode line = JSON.objectNode().put("id", id);
    line.set("labels", labels);
    return line;
  }

  /** Returns a line of the {@code answers.jsonl} of the simulated endpoint. */
  ObjectNode answerLine() {
    ObjectNode line = JSON.objectNode().put("id", id);
    line.set("document", document);
    return line.setAll(truth);
  }

  /** Sets the correct output of an operator. */
  public LabelledDocument label(String operator, JsonNode label) {
    labels.set(operator, label);
    return this;
  }

  /**
   * Sets the correct value of a field.
   *
   * @param spans verbatim evidence in the input of the model; empty if the whole input is evidence
   * @param hard difficulty in [0, 1]
   */
  public LabelledDocument answer(String field, JsonNode value, List<String> spans, double hard) {
    part("answers").set(field, value);
    return shownBy(field, spans, hard);
  }

  /**
   * Sets the truth of a condition: true, false, or the keys of the matching items.
   *
   * @param spans as in {@link #answer}
   * @param hard difficulty in [0, 1]
   */
  public LabelledDocument condition(
      String condition, JsonNode holds, List<String> spans, double hard) {
    part("conditions").set(condition, holds);
    return shownBy(condition, spans, hard);
  }

  private LabelledDocument shownBy(String key, List<String> spans, double hard) {
    if (!spans.isEmpty()) {
      spans.forEach(part("evidence").putArray(key)::add);
    }
    part("difficulty").put(key, BigDecimal.valueOf(hard).setScale(2, RoundingMode.HALF_UP));
    return this;
  }

  /** Sets the fields that tell the simulated models which document it is; by default all. */
  public LabelledDocument knownBy(ObjectNode fields) {
    truth.set("document", fields);
    return this;
  }

  private ObjectNode part(String name) {
    return truth.withObjectProperty(name);
  }
}
