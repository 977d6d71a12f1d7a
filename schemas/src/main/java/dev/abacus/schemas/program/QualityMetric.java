package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Scores an output against its label. Scores are in [0, 1]; 1 is best. */
public sealed interface QualityMetric {

  /** 1 if equal, otherwise 0; texts are compared without case and outer white space. */
  record Exact() implements QualityMetric {}

  /** F1 of the two values as sets; a text is the set of its words. */
  record SetF1() implements QualityMetric {}

  /**
   * Micro-F1 of spans; a predicted span matches a label when the Jaccard similarity of their word
   * sets is at least {@code threshold}.
   */
  record SpanF1(double threshold) implements QualityMetric {
    public SpanF1 {
      if (!(threshold > 0 && threshold <= 1)) {
        throw new IllegalArgumentException("the threshold of span-f1 must be in (0, 1]");
      }
    }
  }

  /** Hits among the first k, divided by min(k, number of labels). */
  record RankPrecision(int k) implements QualityMetric {
    public RankPrecision {
      if (k < 1) {
        throw new IllegalArgumentException("k of rank-precision must be at least 1");
      }
    }
  }

  /**
   * Normalized discounted cumulative gain of the first k: an item at place i adds its gain ÷ log2(i
   * + 1), and the sum is divided by that of the best order.
   *
   * @param k number of items that count; null means all
   */
  record Ndcg(@Nullable Integer k) implements QualityMetric {
    public Ndcg {
      if (k != null && k < 1) {
        throw new IllegalArgumentException("k of ndcg must be at least 1");
      }
    }
  }

  /** Share of the labels that the output contains. */
  record Recall() implements QualityMetric {}

  /** Share of the output that the labels contain. */
  record Precision() implements QualityMetric {}

  /** Share of right decisions of a filter, or of a join about a pair. */
  record Accuracy() implements QualityMetric {}

  /** 1 if the difference from the label is at most {@code tolerance}, otherwise 0. */
  record Numeric(double tolerance) implements QualityMetric {
    public Numeric {
      if (!(tolerance >= 0)) {
        throw new IllegalArgumentException("the tolerance of numeric must be >= 0");
      }
    }
  }

  /** The score of the judge model, even if a label exists. */
  record Judge() implements QualityMetric {}

  Pattern FORM = Pattern.compile("([a-z0-9-]+)(?:\\(([^)]*)\\)|@(\\d+))?");

  /**
   * Reads {@code exact}, {@code f1}, {@code span-f1}, {@code span-f1(0.15)}, {@code
   * rank-precision@5}, {@code ndcg}, {@code ndcg@5}, {@code recall}, {@code precision}, {@code
   * accuracy}, {@code numeric(1)} or {@code judge}.
   *
   * @throws IllegalArgumentException if the text has none of these forms
   */
  static QualityMetric parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    boolean matches = matcher.matches();
    String argument =
        !matches ? null : matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
    try {
      QualityMetric metric =
          switch (matches ? matcher.group(1) : "") {
            case "exact" -> new Exact();
            case "f1" -> new SetF1();
            case "span-f1" -> new SpanF1(argument == null ? 0.15 : Double.parseDouble(argument));
            case "rank-precision" ->
                new RankPrecision(argument == null ? 5 : Integer.parseInt(argument));
            case "ndcg" -> new Ndcg(argument == null ? null : Integer.valueOf(argument));
            case "recall" -> new Recall();
            case "precision" -> new Precision();
            case "accuracy" -> new Accuracy();
            case "numeric" -> new Numeric(argument == null ? 0 : Double.parseDouble(argument));
            case "judge" -> new Judge();
            default -> null;
          };
      if (metric != null) {
        return metric;
      }
    } catch (NumberFormatException e) {
      // The exception below names the valid forms.
    }
    throw new IllegalArgumentException(
        "'%s' is not a metric; there are exact, f1, span-f1(threshold), rank-precision@k, ndcg@k, recall, precision, accuracy, numeric(tolerance) and judge"
            .formatted(text));
  }

  /** The form that {@link #parse} reads. */
  @JsonValue
  default String label() {
    return switch (this) {
      case Exact _ -> "exact";
      case SetF1 _ -> "f1";
      case SpanF1 metric -> "span-f1(" + metric.threshold() + ")";
      case RankPrecision metric -> "rank-precision@" + metric.k();
      case Ndcg(Integer k) -> k == null ? "ndcg" : "ndcg@" + k;
      case Recall _ -> "recall";
      case Precision _ -> "precision";
      case Accuracy _ -> "accuracy";
      case Numeric metric -> "numeric(" + metric.tolerance() + ")";
      case Judge _ -> "judge";
    };
  }
}
