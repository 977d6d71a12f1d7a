package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

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

  /** Starts a document without labels or answers. */
  public static Builder builder(String id, String split, ObjectNode document) {
    return new Builder(id, split, document);
  }

  LabelledDocument withSplit(String other) {
    return new LabelledDocument(id, other, document, labels, truth);
  }

  /** Returns a line of the validation file. */
  ObjectNode example(String source) {
    ObjectNode example = JSON.objectNode().put("id", id).put("source", source);
    example.set("document", document);
    example.set("labels", labels);
    return example;
  }

  /** Returns a line of the labels file. */
  ObjectNode label() {
    ObjectNode line = JSON.objectNode().put("id", id);
    line.set("labels", labels);
    return line;
  }

  /** Returns a line of the {@code answers.jsonl} of the simulated endpoint. */
  ObjectNode answer() {
    ObjectNode line = JSON.objectNode().put("id", id);
    line.set("document", document);
    return line.setAll(truth);
  }

  /** Builds a labelled document; use once. */
  public static final class Builder {

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

    /** Sets the correct output of an operator. */
    public Builder label(String operator, JsonNode label) {
      labels.set(operator, label);
      return this;
    }

    /**
     * Sets the correct value of a field.
     *
     * @param spans verbatim evidence in the input of the model; empty if the whole input is
     *     evidence
     * @param hard difficulty in [0, 1]
     */
    public Builder answer(String field, JsonNode value, List<String> spans, double hard) {
      answers.set(field, value);
      return shownBy(field, spans, hard);
    }

    /**
     * Sets the truth of a condition: true, false, or the keys of the matching items.
     *
     * @param spans as in {@link #answer}
     * @param hard difficulty in [0, 1]
     */
    public Builder condition(String condition, JsonNode holds, List<String> spans, double hard) {
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

    /** Sets the fields that tell the simulated models which document it is; by default all. */
    public Builder knownBy(ObjectNode fields) {
      truth.set("document", fields);
      return this;
    }

    /** Ends the document. */
    public LabelledDocument build() {
      return new LabelledDocument(id, split, document, labels, truth);
    }
  }
}
