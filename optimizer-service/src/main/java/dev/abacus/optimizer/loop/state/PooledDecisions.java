package dev.abacus.optimizer.loop.state;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
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
 *   usual            = (right of all + μ·accuracy of all) / (samples of all + μ),  μ = 2
 *   score            = metric(shares of both classes, share of documents to keep)
 * </pre>
 *
 * <p>The samples of an implementation are moved so that their mean is this score. Samples along
 * whole plans are pooled on their own, because their examples are not those of the search. A
 * failure keeps its score 0. If all samples of a filter are of one class, they keep their scores.
 */
final class PooledDecisions {

  /** Weight, in samples, of the accuracy of all implementations in their share of one class. */
  private static final double OF_ACCURACY = 2;

  /** An implementation in the search, or along whole plans. */
  private record Group(String operator, String physical, boolean alongPlan) {}

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

  /** Shares of right decisions. */
  private static final class Decisions {
    private final Share positives = new Share();
    private final Share others = new Share();
    private final Scatter scores = new Scatter();

    /** A decision that is right with this probability. */
    void add(boolean kept, double quality) {
      scores.add(quality);
      positives.add(kept ? quality : 0, kept ? quality : 1 - quality);
      others.add(kept ? 0 : quality, kept ? 1 - quality : quality);
    }
  }

  private final Program program;
  private final Map<Group, Decisions> groups = new HashMap<>();
  private final Map<String, Decisions> operators = new HashMap<>();

  /** By operator and example: the probability that the document is to be kept. */
  private final Map<String, SortedMap<String, Share>> examples = new HashMap<>();

  /** By operator: the mean of that probability; computed after the last sample. */
  private final Map<String, Double> keptShares = new HashMap<>();

  PooledDecisions(Program program) {
    this.program = program;
  }

  /** Adds a sample; samples are added in order of issue, before {@link #apply}. */
  void add(StampedTask issued, Observation sample) {
    if (!isPooled(issued, sample)) {
      return;
    }
    keptShares.clear();
    boolean kept = sample.outcome() == Outcome.KEPT;
    double quality = Objects.requireNonNull(sample.quality());
    groups.computeIfAbsent(group(issued), _ -> new Decisions()).add(kept, quality);
    operators.computeIfAbsent(sample.operator(), _ -> new Decisions()).add(kept, quality);
    examples
        .computeIfAbsent(sample.operator(), _ -> new TreeMap<>())
        .computeIfAbsent(sample.exampleId(), _ -> new Share())
        .add(kept ? quality : 1 - quality, 1);
  }

  private static Group group(StampedTask issued) {
    return new Group(
        issued.task().operator().id(), issued.task().physical().id(), issued.stamp().alongPlan());
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

  /** The sample with the score that the pooled samples say. */
  Observation apply(StampedTask issued, Observation sample) {
    Decisions own = groups.get(group(issued));
    Decisions all = operators.get(sample.operator());
    if (own == null
        || all == null
        || all.positives.all == 0
        || all.others.all == 0
        || !isPooled(issued, sample)) {
      return sample;
    }
    double expected = expected(sample.operator(), own, all);
    double score = Objects.requireNonNull(sample.quality());
    return sample.toBuilder().score(own.scores.around(expected, score), sample.scoredBy()).build();
  }

  private double keptShare(String operator) {
    return examples.getOrDefault(operator, new TreeMap<>()).values().stream()
        .mapToDouble(Share::value)
        .average()
        .orElseThrow();
  }

  private double expected(String operator, Decisions own, Decisions all) {
    double kept = keptShares.computeIfAbsent(operator, this::keptShare);
    double accuracy = (all.positives.part + all.others.part) / (all.positives.all + all.others.all);
    double positives = own.positives.shrunkTo(all.positives.shrunkTo(accuracy, OF_ACCURACY), 1);
    double others = own.others.shrunkTo(all.others.shrunkTo(accuracy, OF_ACCURACY), 1);
    return new MatchCounts(
            kept * positives,
            (1 - kept) * (1 - others),
            kept * (1 - positives),
            (1 - kept) * others)
        .filterScore(metric(operator));
  }
}
