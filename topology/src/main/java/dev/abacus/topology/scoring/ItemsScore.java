package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.ReferenceItem;
import dev.abacus.topology.scoring.Scorer.JudgeCall;
import java.util.List;

/**
 * The score of the items of a reference that an operator found. Compares their keys with the label,
 * a list of keys. The default metric is F1, so that wrong items reduce the score: a top-k with a
 * larger k is better only if it finds more. The program can set another metric by the operator's
 * name.
 *
 * @param keyField the key field of the reference
 * @param items the items that the operator found
 */
record ItemsScore(SampleTask task, String keyField, ArrayNode items, JudgeCall judge) {

  /** The items in a field of all outputs. */
  static ArrayNode items(OperatorOutcome outcome, String field) {
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    if (outcome instanceof OperatorOutcome.Kept kept) {
      for (Document output : kept.documents()) {
        JsonNode value = output.get(field);
        if (value.isArray()) {
          value.forEach(items::add);
        } else if (value.isObject()) {
          items.add(value);
        }
      }
    }
    return items;
  }

  Score score() throws InterruptedException {
    String operator = task.operator().id();
    QualityMetric metric = task.metrics().getOrDefault(operator, new QualityMetric.SetF1());
    JsonNode label = task.label();
    if (metric instanceof QualityMetric.Judge || label == null || LabelValues.isAbsent(label)) {
      return judge.score();
    }
    if (label.isObject()) {
      return Score.unknown(
          "the label of '%s' is not a list of keys of items".formatted(operator), 0);
    }
    ArrayNode found = JsonNodeFactory.instance.arrayNode();
    items.forEach(item -> found.add(ReferenceItem.key(item, keyField)));
    ArrayNode wanted = JsonNodeFactory.instance.arrayNode();
    LabelValues.list(label).forEach(key -> wanted.add(key.asText()));
    return Score.known(quality(metric, found, wanted), ScoredBy.LABEL, 0);
  }

  /**
   * Compares lists of keys. Recall and precision compare whole keys; for fields, they compare
   * words.
   *
   * @param metric any metric except {@code judge}
   */
  static double quality(QualityMetric metric, ArrayNode found, ArrayNode wanted) {
    FieldMetrics.Pair pair = new FieldMetrics.Pair(found, wanted);
    return switch (metric) {
      case QualityMetric.Recall _, QualityMetric.Precision _ ->
          FieldMetrics.sets(keys -> LabelValues.distinct(LabelValues.list(keys)), pair)
              .score(metric);
      case QualityMetric _ -> FieldMetrics.of(metric, List.of(pair));
    };
  }
}
