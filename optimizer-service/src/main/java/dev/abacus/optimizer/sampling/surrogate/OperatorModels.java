package dev.abacus.optimizer.sampling.surrogate;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.search.cost.Priors;
import java.util.List;
import java.util.Objects;

/**
 * The models of operators, kept while their samples stay the same: a decision asks for them several
 * times, and most operators have no new samples. Thread-safe.
 */
final class OperatorModels {

  /** Largest sum of the squares of numbers of measurements, as memory grows; about 50 MiB. */
  private static final long MOST_WEIGHT = 4L * OperatorWave.MOST * OperatorWave.MOST;

  private record SpaceKey(String operator, List<Arm> arms) {}

  /** Computing the features takes longer than a decision; kept as long as a model has them. */
  private final LoadingCache<SpaceKey, FeatureSpace> spaces =
      Caffeine.newBuilder().weakValues().build(key -> FeatureSpace.of(key.arms()));

  private final LoadingCache<OperatorModel.Input, OperatorModel> models;

  /** No models yet. */
  OperatorModels(Priors priors) {
    this.models =
        Caffeine.newBuilder()
            .maximumWeight(MOST_WEIGHT)
            .weigher((OperatorModel.Input input, OperatorModel _) -> input.size() * input.size())
            .build(input ->
                new OperatorModel(
                    spaces.get(new SpaceKey(input.operator(), input.arms())), input, priors));
  }

  /** The model of an operator with these samples. */
  OperatorModel of(OperatorSamples samples) {
    return Objects.requireNonNull(models.get(OperatorModel.Input.of(samples)));
  }
}
