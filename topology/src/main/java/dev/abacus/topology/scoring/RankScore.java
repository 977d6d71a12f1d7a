package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.topology.scoring.Scorer.JudgeCall;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The score of an order of items. The label is a list of the keys of the right items, all with the
 * gain 1, or an object with the gain of each key. Labelled items that the document's list lacks do
 * not count, because no order contains them. The default metric is nDCG.
 *
 * @param kept the items that the operator kept, best first
 */
record RankScore(SemanticRank rank, SampleTask task, JsonNode kept, JudgeCall judge) {

  Score score() throws InterruptedException {
    QualityMetric metric = task.metrics().getOrDefault(rank.id(), new QualityMetric.Ndcg(rank.k()));
    JsonNode label = task.label();
    if (metric instanceof QualityMetric.Judge || label == null || LabelValues.isAbsent(label)) {
      return judge.score();
    }
    Map<String, Double> gains = gains(label);
    if (gains == null) {
      return Score.unknown(
          "the label of '%s' is neither a list of keys nor an object with a number of at least 0 for each key"
              .formatted(rank.id()),
          0);
    }
    ArrayNode all = names(task.input().get(rank.items()));
    gains.keySet().retainAll(LabelValues.distinct(LabelValues.list(all)));
    return Score.known(
        metric instanceof QualityMetric.Ndcg(Integer k)
            ? ndcg(gains, k == null ? all.size() : k)
            : ItemsScore.quality(metric, names(kept), right(all, gains)),
        ScoredBy.LABEL,
        0);
  }

  private static ArrayNode right(ArrayNode all, Map<String, Double> gains) {
    ArrayNode right = JsonNodeFactory.instance.arrayNode();
    for (JsonNode name : all) {
      if (gains.getOrDefault(LabelValues.canonical(name), 0.0) > 0) {
        right.add(name);
      }
    }
    return right;
  }

  /** If no item of the list has a gain, no order is better than another. */
  private double ndcg(Map<String, Double> gains, int first) {
    Set<String> order = LabelValues.distinct(LabelValues.list(names(kept)));
    return gains.values().stream().allMatch(gain -> gain == 0)
        ? 1
        : Ndcg.of(order, gains, rank.kept(first));
  }

  /** The gains of a label by canonical name; null if the label has another form. */
  private static @Nullable Map<String, Double> gains(JsonNode label) {
    Map<String, Double> gains = new LinkedHashMap<>();
    if (label.isObject()) {
      for (Map.Entry<String, JsonNode> entry : label.properties()) {
        double gain = entry.getValue().isNumber() ? entry.getValue().doubleValue() : Double.NaN;
        if (!(gain >= 0 && Double.isFinite(gain))) {
          return null;
        }
        gains.put(LabelValues.canonical(TextNode.valueOf(entry.getKey())), gain);
      }
      return gains;
    }
    for (JsonNode key : LabelValues.list(label)) {
      if (key.isContainerNode()) {
        return null;
      }
      gains.put(LabelValues.canonical(TextNode.valueOf(key.asText())), 1.0);
    }
    return gains;
  }

  private ArrayNode names(JsonNode items) {
    ArrayNode names = JsonNodeFactory.instance.arrayNode();
    items.forEach(item -> names.add(rank.nameOf(item)));
    return names;
  }
}
