package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.HashMap;
import java.util.Map;

/**
 * What is left of the sampling budget of the present round. Counts what was issued, not what came
 * back, so nothing in flight can overshoot it: in invocations exactly, in dollars as far as {@link
 * CostForecast} foresees what is in flight.
 *
 * <p>A sample that only embeds a labelled example is no invocation: it counts 0 of a budget in
 * invocations. Of one in dollars it takes its price, and all of them together at most {@value
 * #EVIDENCE_SHARE} of their operator's share.
 *
 * <p>Every semantic operator has an equal share, so that those further down are not left with
 * nothing; what an operator does not use of its share, the others may use in the end.
 */
public final class BudgetMeter {

  /** Dollar amounts are sums of doubles; a budget of 0.3 pays for 0.1 three times. */
  private static final double ROUNDING = 1e-9;

  /** Part of an operator's share of a budget in dollars that may go into embedding examples. */
  static final double EVIDENCE_SHARE = 0.2;

  /** Part of the budget that is kept for whole plans where operators may depend on each other. */
  public static final double CONFIRMATION_SHARE = 0.15;

  private final SampleBudget budget;
  private final CostForecast forecast;
  private final double available;
  private final Map<String, Double> shares = new HashMap<>();
  private final Map<String, Double> used = new HashMap<>();
  private final Map<String, Double> usedForEvidence = new HashMap<>();
  private double total;
  private int samples;

  /**
   * @param withheld part of the budget, in [0, 1), that is not to be touched; never so much that an
   *     operator could not be sampled once
   */
  BudgetMeter(
      Program program, CostForecast forecast, SampleLedger ledger, String round, double withheld) {
    this.budget = program.sampleBudget();
    this.forecast = forecast;
    this.available = available(withheld, program.semanticOperators().size());
    share(program);
    for (StampedTask issued : ledger.issued()) {
      if (issued.stamp().round().equals(round)) {
        Observation observation = ledger.observation(issued.task().id());
        double usd = observation == null ? forecast.of(issued.task()) : observation.spent();
        charge(issued.task(), issued.stamp().chargedTo(), units(issued.task(), usd));
      }
    }
  }

  private void share(Program program) {
    int operators = program.semanticOperators().size();
    int index = 0;
    for (LogicalOperator operator : program.semanticOperators()) {
      double share =
          switch (budget) {
            case SampleBudget.Invocations _ -> {
              int limit = (int) available;
              yield limit / operators + (index < limit % operators ? 1 : 0);
            }
            case SampleBudget.Dollars _ -> available / operators;
          };
      shares.put(operator.id(), share);
      index++;
    }
  }

  /** How much a sample of that price takes: 1 of a budget in invocations, else its price. */
  private double units(SampleTask task, double usd) {
    return switch (budget) {
      case SampleBudget.Invocations _ -> task.evidenceOnly() ? 0 : 1;
      case SampleBudget.Dollars _ -> usd;
    };
  }

  private double available(double withheld, int operators) {
    return switch (budget) {
      case SampleBudget.Invocations(int samples) ->
          Math.max(Math.min(samples, operators), samples - Math.floor(samples * withheld));
      case SampleBudget.Dollars(double usd) -> usd * (1 - withheld);
    };
  }

  private void charge(SampleTask task, String operator, double units) {
    if (task.evidenceOnly()) {
      usedForEvidence.merge(operator, units, Double::sum);
    } else {
      samples++;
    }
    total += units;
    used.merge(operator, units, Double::sum);
  }

  /**
   * Takes a sample's price from the budget, if there is enough.
   *
   * @param beyondShare whether the operator may use what others have left
   */
  public boolean reserve(SampleTask task, String operator, boolean beyondShare) {
    double units = units(task, forecast.of(task));
    double share = shares.getOrDefault(operator, 0.0) - used.getOrDefault(operator, 0.0);
    if (total + units > available * (1 + ROUNDING)
        || (!beyondShare && units > share * (1 + ROUNDING))
        || (task.evidenceOnly() && units > leftForEvidence(operator) * (1 + ROUNDING))) {
      return false;
    }
    charge(task, operator, units);
    return true;
  }

  private double leftForEvidence(String operator) {
    return EVIDENCE_SHARE * shares.getOrDefault(operator, 0.0)
        - usedForEvidence.getOrDefault(operator, 0.0);
  }

  /** Samples issued in this round, those that only embed left out. */
  public int samples() {
    return samples;
  }

  public SampleBudget budget() {
    return budget;
  }
}
