package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * One document with the truth about it.
 *
 * @param split which part of the data set it belongs to
 * @param labels by operator id, as validation examples state them
 * @param truth {@code answers}, {@code conditions}, {@code evidence} and {@code difficulty}, as a
 *     line of the simulated endpoint's answers file has them
 */
record LabelledDocument(
    String id, String split, ObjectNode document, ObjectNode labels, ObjectNode truth) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Starts with a document of which nothing is known. */
  static Builder builder(String id, String split, ObjectNode document) {
    return new Builder(id, split, document);
  }

  /** A line of a validation file. */
  ObjectNode example(String source) {
    ObjectNode example = JSON.objectNode().put("id", id).put("source", source);
    example.set("document", document);
    example.set("labels", labels);
    return example;
  }

  /** A line of a file of labels. */
  ObjectNode label() {
    ObjectNode line = JSON.objectNode().put("id", id);
    line.set("labels", labels);
    return line;
  }

  /** A line of the simulated endpoint's {@code answers.jsonl}. */
  ObjectNode answer() {
    ObjectNode line = JSON.objectNode().put("id", id);
    line.set("document", document);
    return line.setAll(truth);
  }

  /** Gathers what is known of a document; used once. */
  static final class Builder {

    private final String id;
    private final String split;
    private final ObjectNode document;
    private final ObjectNode labels = JSON.objectNode();
    private final ObjectNode truth = JSON.objectNode();
    private final ObjectNode answers = truth.putObject("answers");
    private final ObjectNode conditions = truth.putObject("conditions");
    private final ObjectNode evidence = truth.putObject("evidence");
    private final ObjectNode difficulty = truth.putObject("difficulty");

    private Builder(String id, String split, ObjectNode document) {
      this.id = id;
      this.split = split;
      this.document = document;
    }

    /** The right output of an operator. */
    Builder label(String operator, JsonNode label) {
      labels.set(operator, label);
      return this;
    }

    /**
     * The right value of a field.
     *
     * @param spans verbatim parts of what the model reads that show it; empty if all of it does
     * @param hard in [0, 1]
     */
    Builder answer(String field, JsonNode value, List<String> spans, double hard) {
      answers.set(field, value);
      return shownBy(field, spans, hard);
    }

    /**
     * Whether a condition holds: true, false, or the keys of the items that it holds with.
     *
     * @param spans as in {@link #answer}
     * @param hard in [0, 1]
     */
    Builder condition(String condition, JsonNode holds, List<String> spans, double hard) {
      conditions.set(condition, holds);
      return shownBy(condition, spans, hard);
    }

    private Builder shownBy(String key, List<String> spans, double hard) {
      if (!spans.isEmpty()) {
        spans.forEach(evidence.putArray(key)::add);
      }
      difficulty.put(key, BigDecimal.valueOf(hard).setScale(2, RoundingMode.HALF_UP));
      return this;
    }

    LabelledDocument build() {
      return new LabelledDocument(id, split, document, labels, truth);
    }
  }
}
