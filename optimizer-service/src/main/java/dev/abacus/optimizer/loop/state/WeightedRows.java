package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Samples of operators behind an operator with several outputs. Such a sample runs on one output
 * that represents all outputs of the example ({@link
 * dev.abacus.schemas.observation.SampleTask#weight}), so the mean per input is a ratio estimate:
 *
 * <pre>
 *   mean = sum of (weight · value) / sum of weights
 * </pre>
 *
 * <p>The samples of an implementation are moved so that their plain mean is this mean: costs and
 * numbers of outputs by a factor, scores as far as [0, 1] permits. Latency counts once per
 * document, because its rows run concurrently. The scores of filters are not moved: {@link
 * PooledDecisions} computes them. Samples along whole plans are weighted on their own.
 */
final class WeightedRows {

  /** Sums over the samples of one group. */
  private static final class Means {
    private final Mean quality = new Mean();
    private final Mean cost = new Mean();
    private final Mean outputs = new Mean();
    private final Scatter scores = new Scatter();
    private boolean weighted;
  }

  private static final class Mean {
    private double plain;
    private double count;
    private double weighted;
    private double weights;

    void add(double value, double weight) {
      plain += value;
      count++;
      weighted += weight * value;
      weights += weight;
    }

    double weightedMean() {
      return weighted / weights;
    }

    /** The weighted mean divided by the plain mean; 1 if there is none. */
    double factor() {
      return plain > 0 ? weightedMean() / (plain / count) : 1;
    }
  }

  private final Program program;
  private final Map<StampedTask.Group, Means> groups = new HashMap<>();

  WeightedRows(Program program) {
    this.program = program;
  }

  private static double weight(StampedTask issued) {
    return Objects.requireNonNullElse(issued.task().weight(), 1.0);
  }

  private static boolean isAnswered(Observation sample) {
    return sample.outcome() == Outcome.KEPT || sample.outcome() == Outcome.DROPPED;
  }

  /** Adds a sample; samples are added in order of issue. */
  void add(StampedTask issued, Observation sample) {
    Means means = groups.computeIfAbsent(issued.group(), _ -> new Means());
    double weight = weight(issued);
    means.weighted |= weight != 1;
    means.cost.add(sample.cost(), weight);
    if (sample.quality() != null) {
      means.quality.add(sample.quality(), weight);
      means.scores.add(sample.quality());
    }
    if (isAnswered(sample)) {
      means.outputs.add(sample.outputCount(), weight);
    }
  }

  /** The sample with the values that the weights say. */
  Observation apply(StampedTask issued, Observation sample) {
    Means means = groups.get(issued.group());
    if (means == null || !means.weighted) {
      return sample;
    }
    Observation.Builder moved = sample.toBuilder().cost(sample.cost() * means.cost.factor());
    @Nullable LogicalOperator operator = program.operator(sample.operator());
    Double quality = sample.quality();
    if (quality != null && !(operator instanceof SemanticFilter)) {
      moved.score(
          means.scores.around(Math.clamp(means.quality.weightedMean(), 0, 1), quality),
          sample.scoredBy());
    }
    if (isAnswered(sample) && means.outputs.factor() != 1) {
      moved.expectedOutputs(sample.outputCount() * means.outputs.factor());
    }
    return moved.build();
  }
}
