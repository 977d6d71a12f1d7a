package dev.abacus.optimizer.sampler;

import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.observation.Observation;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Running means of one arm, in the order in which its pulls were asked for. */
final class ArmRecord {

  private final Map<Dimension, Mean> means = new EnumMap<>(Dimension.class);
  private int observed;
  private int failed;
  private int assigned;

  ArmRecord() {
    for (Dimension dimension : Dimension.values()) {
      means.put(dimension, new Mean());
    }
  }

  /** How many examples, from the first on, it has been given. */
  int assigned() {
    return assigned;
  }

  /** The next example's sample; nothing is learnt from a lost one. */
  void add(Sample sample) {
    assigned++;
    if (!(sample instanceof Sample.Observed(Observation observation))) {
      return;
    }
    observed++;
    if (observation.outcome() == Observation.Outcome.FAILED) {
      failed++;
    }
    if (observation.quality() != null) {
      mean(Dimension.QUALITY).add(observation.quality());
    }
    mean(Dimension.COST).add(observation.cost());
    mean(Dimension.LATENCY).add(observation.latency());
  }

  Mean mean(Dimension dimension) {
    return Objects.requireNonNull(means.get(dimension));
  }

  int observed() {
    return observed;
  }

  /** It was tried, and never gave an answer. */
  boolean neverAnswered() {
    return observed > 0 && failed == observed;
  }

  /** A mean with its count. */
  static final class Mean {
    private int count;
    private double sum;

    private void add(double value) {
      count++;
      sum += value;
    }

    int count() {
      return count;
    }

    /** NaN before the first value. */
    double value() {
      return sum / count;
    }
  }
}
