package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.program.QualityMetric;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares outputs with labels. Fields that are scored together are one micro-average: the counts
 * of all fields are added before the ratio is taken; {@code exact} and {@code numeric} then ask
 * that every field is right.
 */
final class FieldMetrics {

  /** One field: what the operator wrote and what is right. */
  record Pair(JsonNode output, JsonNode label) {}

  private FieldMetrics() {}

  /**
   * The score of these fields together, in [0, 1].
   *
   * @param metric any but {@code judge}, which no comparison can replace
   */
  static double of(QualityMetric metric, List<Pair> fields) {
    return switch (metric) {
      case QualityMetric.Exact _ -> share(fields.stream().allMatch(FieldMetrics::isEqual));
      case QualityMetric.Numeric(double tolerance) ->
          share(fields.stream().allMatch(pair -> isWithin(tolerance, pair)));
      case QualityMetric.SetF1 _ ->
          sum(fields.stream()
                  .map(p -> sets(Values.set(p.output()), Values.set(p.label())))
                  .toList())
              .f1();
      case QualityMetric.SpanF1(double threshold) ->
          sum(fields.stream().map(pair -> spans(threshold, pair)).toList()).f1();
      case QualityMetric.Recall _ ->
          sum(fields.stream()
                  .map(p -> sets(Values.terms(p.output()), Values.terms(p.label())))
                  .toList())
              .recall();
      case QualityMetric.RankPrecision(int k) -> rankPrecision(k, fields);
      case QualityMetric.Judge _ ->
          throw new IllegalArgumentException("a judgement is not a comparison");
    };
  }

  private static double share(boolean right) {
    return right ? 1 : 0;
  }

  private static Tally sum(List<Tally> tallies) {
    return tallies.stream().reduce(Tally.NONE, Tally::plus);
  }

  private static boolean isEqual(Pair pair) {
    return Values.canonical(pair.output()).equals(Values.canonical(pair.label()));
  }

  private static boolean isWithin(double tolerance, Pair pair) {
    if (!pair.output().isNumber() || !pair.label().isNumber()) {
      return isEqual(pair);
    }
    if (!Double.isFinite(pair.output().doubleValue())) {
      return false;
    }
    // In decimals: 0.3 is within 0.1 of 0.2, which doubles deny.
    BigDecimal distance = pair.output().decimalValue().subtract(pair.label().decimalValue()).abs();
    return tolerance == Double.POSITIVE_INFINITY
        || distance.compareTo(BigDecimal.valueOf(tolerance)) <= 0;
  }

  private static Tally sets(Set<String> output, Set<String> label) {
    Set<String> common = new HashSet<>(output);
    common.retainAll(label);
    int found = common.size();
    return new Tally(found, output.size() - found, label.size() - found);
  }

  /**
   * A label is found if any prediction is like it, and a prediction is false if it is like no label
   * (CUAD). Spans without words are none.
   */
  private static Tally spans(double threshold, Pair pair) {
    List<Set<String>> output = spans(pair.output());
    List<Set<String>> label = spans(pair.label());
    long found = label.stream().filter(span -> isLikeAny(span, output, threshold)).count();
    long matched = output.stream().filter(span -> isLikeAny(span, label, threshold)).count();
    return new Tally(found, output.size() - matched, label.size() - found);
  }

  private static List<Set<String>> spans(JsonNode value) {
    List<Set<String>> spans = new ArrayList<>();
    for (JsonNode member : Values.list(value)) {
      if (!Values.isNothing(member)) {
        spans.add(Words.of(member.isTextual() ? member.textValue() : member.toString()));
      }
    }
    spans.removeIf(Set::isEmpty);
    return spans;
  }

  private static boolean isLikeAny(Set<String> span, List<Set<String>> others, double threshold) {
    return others.stream().anyMatch(other -> Words.jaccard(span, other) >= threshold);
  }

  /** Hits among the first k predictions over the hits that were possible. */
  private static double rankPrecision(int k, List<Pair> fields) {
    long hits = 0;
    long possible = 0;
    boolean vain = false;
    for (Pair pair : fields) {
      Set<String> labels = Values.distinct(Values.list(pair.label()));
      List<String> first = Values.distinct(Values.list(pair.output())).stream().limit(k).toList();
      hits += first.stream().filter(labels::contains).count();
      possible += Math.min(k, labels.size());
      vain |= labels.isEmpty() && !first.isEmpty();
    }
    if (possible == 0) {
      return vain ? 0 : 1;
    }
    return (double) hits / possible;
  }
}
