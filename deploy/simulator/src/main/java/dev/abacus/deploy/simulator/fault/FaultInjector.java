package dev.abacus.deploy.simulator.fault;

import dev.abacus.deploy.simulator.skill.KeyedRandom;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides which calls fail. Whether the n-th call of an endpoint fails depends on the seed and n
 * alone, so a retry may succeed and a run is repeatable.
 */
public final class FaultInjector {

  private final KeyedRandom base;
  private final AtomicLong calls = new AtomicLong();

  public FaultInjector(long seed) {
    this.base = KeyedRandom.seeded(seed).with("fault");
  }

  /** The fault of the next call, or null if it succeeds. */
  public @Nullable FaultKind next(Map<FaultKind, Double> rates) {
    double drawn = base.with(calls.getAndIncrement()).uniform();
    for (Map.Entry<FaultKind, Double> rate : rates.entrySet()) {
      drawn -= rate.getValue();
      if (drawn < 0) {
        return rate.getKey();
      }
    }
    return null;
  }
}
