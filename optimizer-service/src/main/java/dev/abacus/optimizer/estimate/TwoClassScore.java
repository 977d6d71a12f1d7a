package dev.abacus.optimizer.estimate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.QualityMetric;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Scores of filters that use the samples of all examples.
 *
 * <p>A sample says whether one decision is right. Its mean is the accuracy; F1, precision, recall
 * and balanced accuracy, the default, are functions of the shares of right decisions about the
 * documents to keep and about the others:
 *
 * <pre>
 *   share of a class = (right + κ·usual) / (samples + κ),  κ = 1
 *   usual            = (right of all + ½ + accuracy of all) / (examples of all + 2)
 *   score            = metric(shares of both classes, share of documents to keep)
 * </pre>
 *
 * <p>The half is that of Jeffreys' prior: a few decisions about a rare class that are all right do
 * not make it certain. Implementations share their mistakes on an example, so in the usual share
 * all decisions about one example count as one.
 *
 * <p>The share of documents to keep is that of all labels, not of the samples, which prefer the
 * rarer class. The number of outputs, cost and latency are weighted to this share too.
 *
 * <p>The samples of an implementation are moved so that their mean is this score. Their scatter
 * does not tell the variance of the score, which depends on the numbers of both classes ({@link
 * Estimator#variance}). Samples along whole plans are pooled on their own, because their examples
 * are not those of the search. A failure keeps its score 0. If all samples of a filter are of one
 * class, they keep their scores.
 */
final class TwoClassScore implements Estimator {

  /** Samples that the prior of the share of one class counts as. */
  private static final double PRIOR_WEIGHT = 2;

  /** A share: the sum and the number of what is averaged. */
  private static final class Share {
    private double part;
    private double all;

    void add(double portion, double of) {
      part += portion;
      all += of;
    }

    double value() {
      return part / all;
    }

    double shrunkTo(double usual, double weight) {
      return (part + weight * usual) / (all + weight);
    }
  }

  /** Shares of right decisions about the documents to keep and about the others. */
  private static final class Classes {
    private final Share positives = new Share();
    private final Share others = new Share();

    void add(boolean kept, double quality) {
      double positive = kept ? quality : 1 - quality;
      positives.add(kept ? quality : 0, positive);
      others.add(kept ? 0 : quality, 1 - positive);
    }

    /** Adds the decisions about one example, which count as one. */
    void addExample(Classes decisions) {
      double samples = decisions.positives.all + decisions.others.all;
      positives.add(decisions.positives.part / samples, decisions.positives.all / samples);
      others.add(decisions.others.part / samples, decisions.others.all / samples);
    }

    boolean areBoth() {
      return positives.all > 0 && others.all > 0;
    }

    /** The share of right decisions. */
    double accuracy() {
      return (positives.part + others.part) / (positives.all + others.all);
    }

    /** The probability that a document is to be kept. */
    double kept() {
      return positives.all / (positives.all + others.all);
    }
  }

  /** The decisions of an implementation, or of all. */
  private static final class Decisions {
    private final Classes right = new Classes();
    private final Scatter scores = new Scatter();
    private final Scatter outputs = new Scatter();

    /** A decision that is right with this probability. */
    void add(boolean kept, double quality) {
      scores.add(quality);
      outputs.add(kept ? 1 : 0);
      right.add(kept, quality);
    }
  }

  private final LogicalOperator operator;
  private final @Nullable QualityMetric metric;

  /** By what answers, and the classes by what was measured, whose share weighs its cost. */
  private final Map<Evidence.Group, Decisions> groups = new HashMap<>();

  private final Map<Evidence.Group, Classes> strata = new HashMap<>();
  private final Decisions all = new Decisions();
  private final SortedMap<String, Classes> examples = new TreeMap<>();
  private final Classes distinct = new Classes();
  private final double kept;

  TwoClassScore(OperatorContext context, List<Evidence> evidence) {
    this.operator = context.operator();
    this.metric = context.metric();
    for (Evidence one : evidence) {
      if (isPooled(one)) {
        double quality = Objects.requireNonNull(one.seen().quality());
        groups.computeIfAbsent(one.answers(), _ -> new Decisions()).add(isKept(one), quality);
        strata.computeIfAbsent(one.group(), _ -> new Classes()).add(isKept(one), quality);
        all.add(isKept(one), quality);
        examples
            .computeIfAbsent(one.seen().exampleId(), _ -> new Classes())
            .add(isKept(one), quality);
      }
    }
    examples.values().forEach(distinct::addExample);
    kept = all.right.areBoth() ? keptShare(context.examples(), examples) : 1;
  }

  /** Whether the metric is not the mean of the scores of single decisions. */
  static boolean isMetric(@Nullable QualityMetric metric) {
    return switch (metric) {
      case null -> true;
      case QualityMetric.SetF1 _, QualityMetric.Precision _, QualityMetric.Recall _ -> true;
      case QualityMetric _ -> false;
    };
  }

  /** Whether the evidence is a decision whose score tells if it is right. */
  private static boolean isPooled(Evidence evidence) {
    Double quality = evidence.seen().quality();
    JsonNode label = evidence.label();
    return evidence.isAnswered()
        && quality != null
        && ((label != null && label.isBoolean())
            ? quality == (label.booleanValue() == isKept(evidence) ? 1 : 0)
            : evidence.seen().scoredBy() == ScoredBy.JUDGE);
  }

  private static boolean isKept(Evidence evidence) {
    return evidence.seen().outcome() == Outcome.KEPT;
  }

  /** The decisions of the same implementation; null if the evidence is not estimated by them. */
  private @Nullable Decisions own(Evidence evidence) {
    return all.right.areBoth() && isPooled(evidence) ? groups.get(evidence.answers()) : null;
  }

  private MatchCounts counts(Decisions own) {
    double prior = (0.5 + distinct.accuracy()) / 2;
    double positives =
        own.right.positives.shrunkTo(distinct.positives.shrunkTo(prior, PRIOR_WEIGHT), 1);
    double others = own.right.others.shrunkTo(distinct.others.shrunkTo(prior, PRIOR_WEIGHT), 1);
    return new MatchCounts(
        kept * positives, (1 - kept) * (1 - others), kept * (1 - positives), (1 - kept) * others);
  }

  @Override
  public @Nullable Double quality(Evidence evidence) {
    Decisions own = own(evidence);
    Double score = evidence.seen().quality();
    return own == null || score == null
        ? score
        : Double.valueOf(own.scores.around(counts(own).filterScore(metric), score));
  }

  /** A run keeps its number of outputs, which decides what it costs further on. */
  @Override
  public double outputs(Evidence evidence) {
    Decisions own = evidence.ofRun() ? null : own(evidence);
    if (own == null) {
      return evidence.seen().outputCount();
    }
    MatchCounts counts = counts(own);
    return own.outputs.around(counts.found() + counts.wrong(), isKept(evidence) ? 1 : 0);
  }

  @Override
  public double stratum(Evidence evidence) {
    Classes own = evidence.ofRun() || own(evidence) == null ? null : strata.get(evidence.group());
    if (own == null || !own.areBoth()) {
      return 1;
    }
    double quality = Objects.requireNonNull(evidence.seen().quality());
    double positive = isKept(evidence) ? quality : 1 - quality;
    double share = own.kept();
    return positive * kept / share + (1 - positive) * (1 - kept) / (1 - share);
  }

  @Override
  public boolean isWeighted() {
    return false;
  }

  /**
   * That of the score by the numbers of right decisions of both classes; null without both.
   * Implementations share their mistakes on an example, so the mean is not better known than from
   * one decision about each example.
   */
  @Override
  public @Nullable ScoreVariance variance() {
    if (!all.right.areBoth()) {
      return null;
    }
    double ofSamples = variance(all.right);
    return new ScoreVariance(
        ofSamples * (all.right.positives.all + all.right.others.all),
        Math.max(0, variance(distinct) - ofSamples));
  }

  private double variance(Classes right) {
    Share positives = right.positives;
    Share others = right.others;
    Range score =
        new MatchCounts(
                positives.part,
                others.all - others.part,
                positives.all - positives.part,
                others.part)
            .filterScore(metric, 1);
    double deviation =
        (Objects.requireNonNull(score.high()) - Objects.requireNonNull(score.low())) / 2;
    return deviation * deviation;
  }

  /**
   * The share of documents to keep: that of the labels among the labelled examples of the sources
   * that the operator was sampled on, and the mean of the samples among the others.
   */
  private double keptShare(
      Collection<ValidationExample> given, SortedMap<String, Classes> sampled) {
    Set<String> sources = new HashSet<>();
    for (ValidationExample example : given) {
      if (sampled.containsKey(example.id())) {
        sources.add(example.source());
      }
    }
    Share labelled = new Share();
    Share judged = new Share();
    int unlabelled = 0;
    for (ValidationExample example : given) {
      JsonNode label = example.label(operator.id());
      Classes decisions = sampled.get(example.id());
      if (!sources.contains(example.source())) {
        continue;
      }
      if (label != null && label.isBoolean()) {
        labelled.add(label.booleanValue() ? 1 : 0, 1);
      } else {
        unlabelled++;
        if (decisions != null) {
          judged.add(decisions.kept(), 1);
        }
      }
    }
    if (labelled.all == 0) {
      return sampled.values().stream().mapToDouble(Classes::kept).average().orElseThrow();
    }
    return judged.all == 0 ? labelled.value() : labelled.shrunkTo(judged.value(), unlabelled);
  }
}
