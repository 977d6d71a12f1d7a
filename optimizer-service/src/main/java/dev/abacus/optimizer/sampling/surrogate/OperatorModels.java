package dev.abacus.optimizer.sampling.surrogate;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.search.cost.Priors;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The models of operators, kept while their samples stay the same: a decision asks for them several
 * times, and most operators have no new samples. Thread-safe.
 */
final class OperatorModels {

  /** Largest sum of the squares of numbers of measurements, as memory grows; about 50 MiB. */
  private static final long MOST_WEIGHT = 4L * OperatorWave.MOST * OperatorWave.MOST;

  private record SpaceKey(String operator, List<Arm> arms) {}

  /** Computing the features takes longer than a decision. */
  private final Map<SpaceKey, FeatureSpace> spaces = new ConcurrentHashMap<>();

  private final LoadingCache<OperatorModel.Input, OperatorModel> models;

  /** No models yet. */
  OperatorModels(Priors priors) {
    this.models =
        Caffeine.newBuilder()
            .maximumWeight(MOST_WEIGHT)
            .weigher((OperatorModel.Input input, OperatorModel _) -> input.size() * input.size())
            .build(input -> new OperatorModel(space(input), input, priors));
  }

  private FeatureSpace space(OperatorModel.Input input) {
    return spaces.computeIfAbsent(
        new SpaceKey(input.operator(), input.arms()), key -> FeatureSpace.of(key.arms()));
  }

  /** The model of an operator with these samples. */
  OperatorModel of(OperatorSamples samples) {
    return Objects.requireNonNull(models.get(OperatorModel.Input.of(samples)));
  }
}
