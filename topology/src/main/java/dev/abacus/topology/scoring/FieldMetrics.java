package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.program.QualityMetric;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Compares outputs with labels. The score of several fields together is a micro-average: counts are
 * summed over all fields before the ratio is computed. For {@code exact} and {@code numeric} all
 * fields must be correct.
 */
final class FieldMetrics {

  /** One field: the operator's output and the label. */
  record Pair(JsonNode output, JsonNode label) {}

  private FieldMetrics() {}

  /**
   * The score of these fields together, in [0, 1].
   *
   * @param metric any metric except {@code judge}
   * @throws IllegalArgumentException if the metric is {@code judge}
   */
  static double of(QualityMetric metric, List<Pair> fields) {
    return switch (metric) {
      case QualityMetric.Exact _ -> zeroOrOne(fields.stream().allMatch(FieldMetrics::isEqual));
      case QualityMetric.Numeric(double tolerance) ->
          zeroOrOne(fields.stream().allMatch(pair -> isWithin(tolerance, pair)));
      case QualityMetric.SetF1 _ -> sum(fields, pair -> sets(LabelValues::set, pair)).score(metric);
      case QualityMetric.SpanF1(double threshold) ->
          sum(fields, pair -> spans(threshold, pair)).score(metric);
      case QualityMetric.Recall _, QualityMetric.Precision _ ->
          sum(fields, pair -> sets(LabelValues::terms, pair)).score(metric);
      case QualityMetric.Accuracy _ ->
          fields.stream().filter(FieldMetrics::isEqual).count() / (double) fields.size();
      case QualityMetric.RankPrecision(int k) -> rankPrecision(k, fields);
      case QualityMetric.Ndcg(Integer k) ->
          fields.stream()
              .mapToDouble(pair -> ndcg(k == null ? Integer.MAX_VALUE : k, pair))
              .average()
              .orElse(1);
      case QualityMetric.Judge _ ->
          throw new IllegalArgumentException("a judgement is not a comparison");
    };
  }

  private static double zeroOrOne(boolean correct) {
    return correct ? 1 : 0;
  }

  private static MatchCounts sum(List<Pair> fields, Function<Pair, MatchCounts> counts) {
    return fields.stream().map(counts).reduce(MatchCounts.NONE, MatchCounts::plus);
  }

  private static boolean isEqual(Pair pair) {
    return LabelValues.canonical(pair.output()).equals(LabelValues.canonical(pair.label()));
  }

  private static boolean isWithin(double tolerance, Pair pair) {
    if (!pair.output().isNumber() || !pair.label().isNumber()) {
      return isEqual(pair);
    }
    if (!Double.isFinite(pair.output().doubleValue())) {
      return false;
    }
    // Decimal arithmetic: as doubles, 0.3 is not within 0.1 of 0.2.
    BigDecimal distance = pair.output().decimalValue().subtract(pair.label().decimalValue()).abs();
    return tolerance == Double.POSITIVE_INFINITY
        || distance.compareTo(BigDecimal.valueOf(tolerance)) <= 0;
  }

  /**
   * Compares the members of an output with those of a label.
   *
   * @param members what counts of a value, such as its words
   */
  static MatchCounts sets(Function<JsonNode, Set<String>> members, Pair pair) {
    Set<String> output = members.apply(pair.output());
    Set<String> label = members.apply(pair.label());
    long found = label.stream().filter(output::contains).count();
    return new MatchCounts(found, output.size() - found, label.size() - found, 0);
  }

  /**
   * A label is found if any prediction is similar to it; a prediction is wrong if it is similar to
   * no label (CUAD). Spans without words do not count.
   */
  private static MatchCounts spans(double threshold, Pair pair) {
    List<Set<String>> output = spans(pair.output());
    List<Set<String>> label = spans(pair.label());
    long found = label.stream().filter(span -> isSimilarToAny(span, output, threshold)).count();
    long matched = output.stream().filter(span -> isSimilarToAny(span, label, threshold)).count();
    return new MatchCounts(found, output.size() - matched, label.size() - found, 0);
  }

  private static List<Set<String>> spans(JsonNode value) {
    List<Set<String>> spans = new ArrayList<>();
    for (JsonNode member : LabelValues.list(value)) {
      if (!LabelValues.isAbsent(member)) {
        spans.add(WordSets.of(member.isTextual() ? member.textValue() : member.toString()));
      }
    }
    spans.removeIf(Set::isEmpty);
    return spans;
  }

  private static boolean isSimilarToAny(
      Set<String> span, List<Set<String>> others, double threshold) {
    return others.stream().anyMatch(other -> WordSets.jaccard(span, other) >= threshold);
  }

  /** All labels have the gain 1. */
  private static double ndcg(int k, Pair pair) {
    Set<String> output = LabelValues.distinct(LabelValues.list(pair.output()));
    Set<String> labels = LabelValues.distinct(LabelValues.list(pair.label()));
    if (labels.isEmpty()) {
      return zeroOrOne(output.isEmpty());
    }
    return Ndcg.of(output, labels.stream().collect(Collectors.toMap(label -> label, _ -> 1.0)), k);
  }

  /** The hits among the first k predictions, divided by the maximum possible number of hits. */
  private static double rankPrecision(int k, List<Pair> fields) {
    long hits = 0;
    long possible = 0;
    boolean wrongOnly = false;
    for (Pair pair : fields) {
      Set<String> labels = LabelValues.distinct(LabelValues.list(pair.label()));
      List<String> first =
          LabelValues.distinct(LabelValues.list(pair.output())).stream().limit(k).toList();
      hits += first.stream().filter(labels::contains).count();
      possible += Math.min(k, labels.size());
      wrongOnly |= labels.isEmpty() && !first.isEmpty();
    }
    if (possible == 0) {
      return wrongOnly ? 0 : 1;
    }
    return (double) hits / possible;
  }
}
