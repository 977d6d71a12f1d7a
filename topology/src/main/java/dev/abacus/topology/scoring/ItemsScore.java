package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.ReferenceItem;
import dev.abacus.topology.scoring.Scorer.JudgeCall;
import java.util.List;

/**
 * The score of what finds items of a reference: their keys are compared with the label, which is a
 * list of keys. A join is scored by F1, where finding too much counts against it; a top-k by the
 * share of the label that it found, because how much it finds is its k. Another metric may be asked
 * for by the operator's name.
 */
final class ItemsScore {

  private ItemsScore() {}

  static Score of(ReferenceJoin join, SampleTask task, JsonNode items, Context context)
      throws InterruptedException {
    return score(join.id(), task, items, new QualityMetric.SetF1(), context);
  }

  static Score of(TopK topK, SampleTask task, JsonNode items, Context context)
      throws InterruptedException {
    return score(topK.id(), task, items, new QualityMetric.Recall(), context);
  }

  /**
   * What the items are scored with.
   *
   * @param keyField of the reference
   */
  record Context(String keyField, JudgeCall judge) {}

  private static Score score(
      String operator, SampleTask task, JsonNode items, QualityMetric usual, Context context)
      throws InterruptedException {
    QualityMetric metric = task.metrics().getOrDefault(operator, usual);
    JsonNode label = task.label();
    if (metric instanceof QualityMetric.Judge || label == null || Values.isNothing(label)) {
      return Scorer.judged(context.judge());
    }
    if (label.isObject()) {
      return Score.unknown("the label of '%s' is no list of keys of items".formatted(operator), 0);
    }
    FieldMetrics.Pair pair = new FieldMetrics.Pair(keys(items, context.keyField()), texts(label));
    return Score.known(compare(metric, pair), ScoredBy.LABEL, 0);
  }

  /** A key is one term, however many words it has. */
  private static double compare(QualityMetric metric, FieldMetrics.Pair pair) {
    if (!(metric instanceof QualityMetric.Recall)) {
      return FieldMetrics.of(metric, List.of(pair));
    }
    var labels = Values.distinct(Values.list(pair.label()));
    var found = Values.distinct(Values.list(pair.output()));
    long hits = labels.stream().filter(found::contains).count();
    return labels.isEmpty() ? 1 : (double) hits / labels.size();
  }

  private static ArrayNode keys(JsonNode items, String keyField) {
    ArrayNode keys = JsonNodeFactory.instance.arrayNode();
    items.forEach(item -> keys.add(ReferenceItem.key(item, keyField)));
    return keys;
  }

  private static ArrayNode texts(JsonNode label) {
    ArrayNode texts = JsonNodeFactory.instance.arrayNode();
    Values.list(label).forEach(key -> texts.add(key.asText()));
    return texts;
  }

  /** The items that an outcome put under a field, of all outputs together. */
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
}
