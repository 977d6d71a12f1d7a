package dev.abacus.optimizer.sampling;

import dev.abacus.optimizer.estimate.Estimator.ScoreVariance;
import dev.abacus.optimizer.estimate.LiveAmounts;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.Readings;
import dev.abacus.optimizer.estimate.TierPrices;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.observation.Observation;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Readings of samples whose scores, costs and latencies are those of live documents. */
public record AsMeasured(Map<String, Map<String, Sample>> samples) implements Readings {

  /** Samples of an operator, by arm id and example id. */
  public static OperatorSamples of(
      String operator,
      List<Arm> arms,
      List<String> examples,
      Map<String, Map<String, Sample>> samples) {
    return new OperatorSamples(operator, arms, examples, samples, new AsMeasured(samples));
  }

  @Override
  public List<Measurement> of(String implementation) {
    return new TreeMap<>(samples.getOrDefault(implementation, Map.of()))
        .values().stream()
            .filter(Sample.Observed.class::isInstance)
            .map(sample -> ((Sample.Observed) sample).observation())
            .map((Observation seen) -> Measurement.of(seen))
            .toList();
  }

  @Override
  public @Nullable ScoreVariance scoreVariance() {
    return null;
  }

  @Override
  public LiveAmounts live(String implementation) {
    return LiveAmounts.SAME;
  }

  @Override
  public double tierPrice(String implementation) {
    if (ServiceTier.in(implementation).equals(ServiceTier.STANDARD)) {
      return 1;
    }
    return TierPrices.of(
            samples.values().stream()
                .flatMap(byExample -> byExample.values().stream())
                .filter(Sample.Observed.class::isInstance)
                .map(sample -> ((Sample.Observed) sample).observation())
                .toList())
        .of(implementation);
  }

  @Override
  public Readings without(Collection<String> examples) {
    Map<String, Map<String, Sample>> others = new HashMap<>();
    samples.forEach((arm, byExample) -> {
      Map<String, Sample> kept = new HashMap<>(byExample);
      kept.keySet().removeAll(examples);
      others.put(arm, kept);
    });
    return new AsMeasured(others);
  }
}
