package dev.abacus.deploy.simulator.fault;

import dev.abacus.deploy.simulator.skill.KeyedRandom;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides which calls fail. The n-th call of an endpoint fails or not by the seed and n alone, so a
 * retry has a new chance and a run can be repeated.
 */
public final class FaultInjector {

  private final KeyedRandom base;
  private final AtomicLong calls = new AtomicLong();
  private volatile FaultRates rates;

  /** Starts with the given rates. */
  public FaultInjector(long seed, FaultRates rates) {
    this.base = KeyedRandom.seeded(seed).with("fault");
    this.rates = rates;
  }

  /** Changes the rates from now on. */
  public void change(FaultRates newRates) {
    rates = newRates;
  }

  /** The rates in force. */
  public FaultRates rates() {
    return rates;
  }

  /** The fault of the next call, or null if it goes well. */
  public @Nullable FaultKind next(String model) {
    double drawn = base.with(calls.getAndIncrement()).uniform();
    for (Map.Entry<FaultKind, Double> rate : rates.of(model).entrySet()) {
      drawn -= rate.getValue();
      if (drawn < 0) {
        return rate.getKey();
      }
    }
    return null;
  }
}
