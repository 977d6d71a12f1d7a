package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.HashMap;
import java.util.Map;

/**
 * The sampling budget that is left in the current round. A sample is charged when it is issued, so
 * samples in flight cannot exceed the budget: exactly for invocations, up to the error of {@link
 * CostForecast} for dollars.
 *
 * <p>A sample that only embeds a labelled example is not an invocation. One that asks the proxy of
 * a model cascade is. All samples for evidence together may use {@value #EVIDENCE_SHARE} of their
 * operator's share of a budget in dollars or tokens, and {@value #EVIDENCE_INVOCATIONS} of its
 * invocations.
 *
 * <p>Every semantic operator has an equal share, so that operators downstream get samples. What an
 * operator leaves of its share, the others may use at the end.
 */
public final class BudgetMeter {

  /** Tolerance for sums of doubles: a budget of 0.3 pays for 0.1 three times. */
  private static final double ROUNDING = 1e-9;

  /** Fraction of an operator's share of a budget in dollars or tokens that may pay for evidence. */
  static final double EVIDENCE_SHARE = 0.2;

  /** The fraction of invocations; larger, because a proxy is cheaper than most implementations. */
  static final double EVIDENCE_INVOCATIONS = 0.35;

  /** Fraction of the budget that measures the dependence of operators. */
  public static final double DEPENDENCE_SHARE = 0.15;

  private final SampleBudget budget;
  private final CostForecast forecast;
  private final double available;
  private final Map<String, Double> shares;
  private final Map<String, Double> used = new HashMap<>();
  private final Map<String, Double> usedForEvidence = new HashMap<>();
  private double total;
  private int samples;

  private BudgetMeter(
      SampleBudget budget, CostForecast forecast, double available, Map<String, Double> shares) {
    this.budget = budget;
    this.forecast = forecast;
    this.available = available;
    this.shares = shares;
  }

  /**
   * The whole budget of a program.
   *
   * @param withheld fraction of the budget, in [0, 1), that is kept back; at least one sample per
   *     operator stays available
   */
  static BudgetMeter of(Program program, CostForecast forecast, double withheld) {
    SampleBudget budget = program.sampleBudget();
    int operators = program.semanticOperators().size();
    double available =
        switch (budget) {
          case SampleBudget.Invocations(int samples) ->
              Math.max(Math.min(samples, operators), samples - Math.floor(samples * withheld));
          case SampleBudget.Dollars(double usd) -> usd * (1 - withheld);
          case SampleBudget.Tokens(long tokens) -> tokens * (1 - withheld);
        };
    Map<String, Double> shares = new HashMap<>();
    for (LogicalOperator operator : program.semanticOperators()) {
      shares.put(operator.id(), share(budget, available, shares.size(), operators));
    }
    return new BudgetMeter(budget, forecast, available, shares);
  }

  /** An equal share; the first operators get the invocations that remain. */
  private static double share(SampleBudget budget, double available, int index, int operators) {
    return switch (budget) {
      case SampleBudget.Invocations _ -> {
        int limit = (int) available;
        yield limit / operators + (index < limit % operators ? 1 : 0);
      }
      case SampleBudget.Dollars _, SampleBudget.Tokens _ -> available / operators;
    };
  }

  /** Charges the samples of a round; returns this meter. */
  BudgetMeter charge(SampleLedger ledger, String round) {
    for (StampedTask issued : ledger.issued()) {
      if (issued.stamp().round().equals(round)) {
        Observation observation = ledger.observation(issued.task().id());
        double units =
            observation == null ? units(issued.task()) : units(issued.task(), observation);
        if (ledger.isUnavailable(issued.task().id())) {
          // Another sample replaces it, so only the cost counts.
          chargeCost(issued.stamp().chargedTo(), units);
        } else {
          charge(issued.task(), issued.stamp().chargedTo(), units);
        }
      }
    }
    return this;
  }

  /** The expected charge of a sample: 1, USD or tokens. */
  private double units(SampleTask task) {
    return switch (budget) {
      case SampleBudget.Invocations _ -> invocations(task);
      case SampleBudget.Dollars _ -> forecast.of(task);
      case SampleBudget.Tokens _ -> forecast.tokens(task);
    };
  }

  private static int invocations(SampleTask task) {
    return task.evidenceOnly() && !task.paysForEvidence() ? 0 : 1;
  }

  /** The charge of an observed sample. */
  private double units(SampleTask task, Observation observation) {
    return switch (budget) {
      case SampleBudget.Invocations _ -> invocations(task);
      case SampleBudget.Dollars _ -> observation.spent();
      case SampleBudget.Tokens _ -> CostForecast.tokens(observation);
    };
  }

  private void chargeCost(String operator, double units) {
    if (!(budget instanceof SampleBudget.Invocations)) {
      total += units;
      used.merge(operator, units, Double::sum);
    }
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
   * Charges a sample if the budget suffices.
   *
   * @param beyondShare whether the operator may use the shares of others
   * @return whether the sample was charged
   */
  public boolean reserve(SampleTask task, String operator, boolean beyondShare) {
    if (!affords(task, 1, operator, beyondShare)) {
      return false;
    }
    charge(task, operator, units(task));
    return true;
  }

  /** Whether the operator's share, and its part for evidence, suffice for tasks like this one. */
  public boolean affords(SampleTask task, int number, String operator) {
    return affords(task, number, operator, false);
  }

  private boolean affords(SampleTask task, int number, String operator, boolean beyondShare) {
    double units = number * units(task);
    double share = shares.getOrDefault(operator, 0.0) - used.getOrDefault(operator, 0.0);
    return total + units <= available * (1 + ROUNDING)
        && (beyondShare || units <= share * (1 + ROUNDING))
        && (!task.evidenceOnly() || units <= leftForEvidence(operator) * (1 + ROUNDING));
  }

  private double leftForEvidence(String operator) {
    double part =
        budget instanceof SampleBudget.Invocations ? EVIDENCE_INVOCATIONS : EVIDENCE_SHARE;
    return part * shares.getOrDefault(operator, 0.0) - usedForEvidence.getOrDefault(operator, 0.0);
  }

  /** Number of samples issued in this round, without those that only collect evidence. */
  public int samples() {
    return samples;
  }

  public SampleBudget budget() {
    return budget;
  }
}
