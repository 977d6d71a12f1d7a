package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.ReferenceJoin;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Scores of joins with references that use the samples of all examples.
 *
 * <p>A sample compares a document with some items. A wrong match among them stands for as many
 * wrong matches as its weight says, and most samples have none. The F1 score is not linear in this
 * number: the mean of the scores of single samples is far above the score of live documents. So the
 * number of wrong matches of a document is estimated from all samples of an implementation, and the
 * score of each sample is its expectation over that number:
 *
 * <pre>
 *   wrong matches per document ~ Poisson(λ),  λ ~ Gamma(1 + hits, …), mean (κ·λ̄ + sum) / (κ + samples)
 * </pre>
 *
 * <p>λ̄ is the mean over all implementations of the operator. κ is the number of samples that say
 * as much as it does (Gamma-Poisson shrinkage with shape 1): many if a wrong match in a sample
 * stands for many.
 */
final class PooledScores {

  /** Above this number of wrong matches, the score at the mean replaces the expectation. */
  private static final double MANY = 200;

  private static final double TAIL = 1e-7;

  /**
   * The belief before the first sample: half a percent of the other items match wrongly, with the
   * weight of a quarter of a wrong match. Without it, a few samples without an error would promise
   * that the join makes none.
   */
  private static final double PRIOR_SHARE = 0.005;

  private static final double PRIOR_SHAPE = 0.25;

  /** Weighted wrong matches of the samples of one implementation. */
  private static final class WrongMatches {
    private int samples;
    private double sum;
    private double squares;
    private double others;
    private double squaresOfOthers;
    private final Scatter scores = new Scatter();

    void add(List<Evidence.Pair> pairs, double score) {
      samples++;
      scores.add(score);
      for (Evidence.Pair pair : pairs) {
        if (Boolean.FALSE.equals(pair.match())) {
          double square = pair.weight() * pair.weight();
          boolean wrong = Boolean.TRUE.equals(pair.answer());
          sum += wrong ? pair.weight() : 0;
          squares += wrong ? square : 0;
          others += pair.weight();
          squaresOfOthers += square;
        }
      }
    }
  }

  /**
   * The number of wrong matches of a document: negative binomial.
   *
   * @param shape of the Gamma distribution of the mean
   */
  private record Wrong(double mean, double shape) {

    static Wrong of(WrongMatches arm, WrongMatches all) {
      if (all.others == 0) {
        return new Wrong(0, 1);
      }
      double weightOfOthers = all.squaresOfOthers / all.others;
      double guess = PRIOR_SHAPE * weightOfOthers;
      double priorMean = PRIOR_SHARE * all.others / all.samples;
      double mean = (guess + all.sum) / (guess / priorMean + all.samples);
      double weight = (guess * weightOfOthers + all.squares) / (guess + all.sum);
      double shape = PRIOR_SHAPE + all.sum / weight;
      double prior = Math.min(1, shape) * weight / mean;
      return new Wrong(
          (prior * mean + arm.sum) / (prior + arm.samples), Math.min(1, shape) + arm.sum / weight);
    }

    double none() {
      return mean == 0 ? 1 : Math.pow(shape / (shape + mean), shape);
    }

    double expectedScore(MatchCounts counts, QualityMetric metric) {
      if (mean == 0 || mean > MANY) {
        return score(counts, metric, mean);
      }
      double ratio = mean / (shape + mean);
      double probability = none();
      double total = 0;
      double expected = 0;
      for (int k = 0; total < 1 - TAIL && k < 100 * MANY; k++) {
        expected += probability * score(counts, metric, k);
        total += probability;
        probability *= ratio * (k + shape) / (k + 1);
      }
      return Math.clamp(expected, 0, 1);
    }

    private static double score(MatchCounts counts, QualityMetric metric, double wrong) {
      double others = counts.wrong() + counts.rejected();
      return new MatchCounts(counts.found(), wrong, counts.missed(), Math.max(0, others - wrong))
          .score(metric);
    }

    /** The expected number of outputs of a document. */
    double outputs(ReferenceJoin join, double found) {
      boolean left = join.joinKind() == JoinKind.LEFT;
      double noMatch = found > 0 ? 0 : none();
      if (join.collected()) {
        return left ? 1 : 1 - noMatch;
      }
      return found + mean + (left ? noMatch : 0);
    }
  }

  /** The samples of an operator: of all implementations together, and of each. */
  private static final class OperatorSamples {
    private final WrongMatches all = new WrongMatches();
    private final Map<String, WrongMatches> arms = new HashMap<>();

    void add(String physical, List<Evidence.Pair> pairs, double score) {
      all.add(pairs, score);
      arms.computeIfAbsent(physical, _ -> new WrongMatches()).add(pairs, score);
    }
  }

  private final Program program;
  private final Map<String, OperatorSamples> byOperator = new HashMap<>();

  private PooledScores(Program program) {
    this.program = program;
  }

  /** Pools the samples of the program's joins. */
  static PooledScores of(Program program, Collection<Observation> samples) {
    PooledScores pooled = new PooledScores(program);
    SortedMap<String, Observation> sorted = new TreeMap<>();
    samples.forEach(sample -> sorted.put(sample.taskId(), sample));
    sorted.values().forEach(pooled::add);
    return pooled;
  }

  private void add(Observation sample) {
    List<Evidence.Pair> pairs = pairs(sample);
    if (!pairs.isEmpty()) {
      byOperator
          .computeIfAbsent(sample.operator(), _ -> new OperatorSamples())
          .add(sample.physical(), pairs, Objects.requireNonNull(sample.quality()));
    }
  }

  /**
   * The scored pairs of a join with a reference; empty if the sample is not pooled, because the
   * score is unknown or the document was compared with all items.
   */
  private List<Evidence.Pair> pairs(Observation sample) {
    boolean answered = sample.outcome() == Outcome.KEPT || sample.outcome() == Outcome.DROPPED;
    return answered
            && sample.quality() != null
            && program.operator(sample.operator()) instanceof ReferenceJoin
            && MatchCounts.supports(metric(sample.operator()))
            && sample.evidence() instanceof Evidence.Pairs(List<Evidence.Pair> pairs, Double _)
            && pairs.stream().allMatch(pair -> pair.answer() != null && pair.match() != null)
            && pairs.stream().anyMatch(pair -> pair.weight() != 1)
        ? pairs
        : List.of();
  }

  private QualityMetric metric(String operator) {
    QualityMetric metric = program.validation().metric(operator);
    return metric == null ? new QualityMetric.SetF1() : metric;
  }

  /** The sample with the score and the number of outputs that the pooled samples say. */
  Observation apply(Observation sample) {
    List<Evidence.Pair> pairs = pairs(sample);
    LogicalOperator operator = program.operator(sample.operator());
    OperatorSamples samples = byOperator.get(sample.operator());
    WrongMatches arm = samples == null ? null : samples.arms.get(sample.physical());
    if (samples == null
        || arm == null
        || pairs.isEmpty()
        || !(operator instanceof ReferenceJoin join)) {
      return sample;
    }
    Wrong wrong = Wrong.of(arm, samples.all);
    MatchCounts counts = MatchCounts.of(pairs);
    double expected = wrong.expectedScore(counts, metric(sample.operator()));
    double score = Objects.requireNonNull(sample.quality());
    return sample.toBuilder()
        .score(arm.scores.around(expected, score), sample.scoredBy())
        .expectedOutputs(wrong.outputs(join, counts.found()))
        .build();
  }
}
