package dev.abacus.optimizer.loop.state;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.sampling.OperatorSamples.ScoreVariance;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
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
 * #variances}). Samples along whole plans are pooled on their own, because their examples are not
 * those of the search. A failure keeps its score 0. If all samples of a filter are of one class,
 * they keep their scores.
 */
final class PooledDecisions {

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

  /** Means of the documents to keep and of the others. */
  private static final class ByClass {
    private final Share positives = new Share();
    private final Share others = new Share();

    void add(double value, double probability) {
      positives.add(probability * value, probability);
      others.add((1 - probability) * value, 1 - probability);
    }

    /** The mean at a share of documents to keep divided by the plain mean; 1 if unknown. */
    double factor(double kept) {
      double plain = (positives.part + others.part) / (positives.all + others.all);
      return positives.all == 0 || others.all == 0 || plain == 0
          ? 1
          : (kept * positives.value() + (1 - kept) * others.value()) / plain;
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
    private final ByClass cost = new ByClass();
    private final ByClass latency = new ByClass();

    /** A decision that is right with this probability. */
    void add(boolean kept, double quality, Observation sample) {
      double positive = kept ? quality : 1 - quality;
      scores.add(quality);
      outputs.add(kept ? 1 : 0);
      cost.add(sample.cost(), positive);
      latency.add(sample.latency(), positive);
      right.add(kept, quality);
    }
  }

  private final Program program;
  private final Collection<ValidationExample> given;
  private final Map<StampedTask.Group, Decisions> groups = new HashMap<>();
  private final Map<String, Decisions> operators = new HashMap<>();

  /** By operator and example. */
  private final Map<String, SortedMap<String, Classes>> examples = new HashMap<>();

  /** By operator: {@link #keptShare}; computed after the last sample. */
  private final Map<String, Double> keptShares = new HashMap<>();

  /** By operator: {@link #distinct}; computed after the last sample. */
  private final Map<String, Classes> distinct = new HashMap<>();

  /**
   * Pools no samples yet.
   *
   * @param given the validation examples
   */
  PooledDecisions(Program program, Collection<ValidationExample> given) {
    this.program = program;
    this.given = given;
  }

  /** Adds a sample; samples are added in order of issue, before {@link #apply}. */
  void add(StampedTask issued, Observation sample) {
    if (!isPooled(issued, sample)) {
      return;
    }
    keptShares.clear();
    distinct.clear();
    boolean kept = sample.outcome() == Outcome.KEPT;
    double quality = Objects.requireNonNull(sample.quality());
    groups.computeIfAbsent(issued.group(), _ -> new Decisions()).add(kept, quality, sample);
    operators.computeIfAbsent(sample.operator(), _ -> new Decisions()).add(kept, quality, sample);
    examples
        .computeIfAbsent(sample.operator(), _ -> new TreeMap<>())
        .computeIfAbsent(sample.exampleId(), _ -> new Classes())
        .add(kept, quality);
  }

  /** Whether the sample is a scored decision, and the metric is not the mean of such scores. */
  private boolean isPooled(StampedTask issued, Observation sample) {
    boolean answered = sample.outcome() == Outcome.KEPT || sample.outcome() == Outcome.DROPPED;
    Double quality = sample.quality();
    if (!answered
        || quality == null
        || !(program.operator(sample.operator()) instanceof SemanticFilter)) {
      return false;
    }
    boolean pooledMetric =
        switch (metric(sample.operator())) {
          case null -> true;
          case QualityMetric.SetF1 _, QualityMetric.Precision _, QualityMetric.Recall _ -> true;
          case QualityMetric _ -> false;
        };
    JsonNode label = issued.task().label();
    boolean known =
        (label != null && label.isBoolean())
            ? quality == (label.booleanValue() == (sample.outcome() == Outcome.KEPT) ? 1 : 0)
            : sample.scoredBy() == ScoredBy.JUDGE;
    return pooledMetric && known;
  }

  private @Nullable QualityMetric metric(String operator) {
    return program.validation().metric(operator);
  }

  /** The sample with the score that the pooled samples say; a run keeps its number of outputs. */
  Observation apply(StampedTask issued, Observation sample) {
    return apply(issued, sample, !issued.stamp().alongPlan());
  }

  /** The sample as one of the implementation, with the share of documents to keep of all labels. */
  Observation ofImplementation(StampedTask issued, Observation sample) {
    return apply(issued, sample, true);
  }

  private Observation apply(StampedTask issued, Observation sample, boolean weighted) {
    Decisions own = groups.get(issued.group());
    Decisions all = operators.get(sample.operator());
    if (own == null || all == null || !all.right.areBoth() || !isPooled(issued, sample)) {
      return sample;
    }
    double score = Objects.requireNonNull(sample.quality());
    double kept = keptShares.computeIfAbsent(sample.operator(), this::keptShare);
    Classes usual = distinct.computeIfAbsent(sample.operator(), this::distinct);
    double prior = (0.5 + usual.accuracy()) / 2;
    double positives =
        own.right.positives.shrunkTo(usual.positives.shrunkTo(prior, PRIOR_WEIGHT), 1);
    double others = own.right.others.shrunkTo(usual.others.shrunkTo(prior, PRIOR_WEIGHT), 1);
    MatchCounts counts =
        new MatchCounts(
            kept * positives,
            (1 - kept) * (1 - others),
            kept * (1 - positives),
            (1 - kept) * others);
    double expected = counts.filterScore(metric(sample.operator()));
    Observation.Builder moved =
        sample.toBuilder().score(own.scores.around(expected, score), sample.scoredBy());
    if (weighted) {
      double outputs = sample.outcome() == Outcome.KEPT ? 1 : 0;
      moved
          .expectedOutputs(own.outputs.around(counts.found() + counts.wrong(), outputs))
          .cost(sample.cost() * own.cost.factor(kept))
          .latency(sample.latency() * own.latency.factor(kept));
    }
    return moved.build();
  }

  /**
   * The variances of the scores of the operators with pooled samples of both classes, by operator
   * id: those of the score by the numbers of right decisions of both classes. Implementations share
   * their mistakes on an example, so the mean is not better known than from one decision about each
   * example.
   */
  Map<String, ScoreVariance> variances() {
    Map<String, ScoreVariance> variances = new HashMap<>();
    operators.forEach((operator, all) -> {
      if (all.right.areBoth()) {
        double ofSamples = variance(operator, all.right);
        variances.put(
            operator,
            new ScoreVariance(
                ofSamples * (all.right.positives.all + all.right.others.all),
                Math.max(0, variance(operator, distinct(operator)) - ofSamples)));
      }
    });
    return variances;
  }

  /** The decisions about all examples, each of which counts as one. */
  private Classes distinct(String operator) {
    Classes all = new Classes();
    examples.getOrDefault(operator, new TreeMap<>()).values().forEach(all::addExample);
    return all;
  }

  private double variance(String operator, Classes right) {
    Share positives = right.positives;
    Share others = right.others;
    Range score =
        new MatchCounts(
                positives.part,
                others.all - others.part,
                positives.all - positives.part,
                others.part)
            .filterScore(metric(operator), 1);
    double deviation =
        (Objects.requireNonNull(score.high()) - Objects.requireNonNull(score.low())) / 2;
    return deviation * deviation;
  }

  /**
   * The share of documents to keep: that of the labels among the labelled examples of the sources
   * that the operator was sampled on, and the mean of the samples among the others.
   */
  private double keptShare(String operator) {
    SortedMap<String, Classes> sampled = examples.getOrDefault(operator, new TreeMap<>());
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
      JsonNode label = example.label(operator);
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
