package dev.abacus.optimizer.loop.budget;

import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.SampleLedger;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sampling budget that is left in the current round. A sample is charged when it is issued, so
 * samples in flight cannot exceed the budget: exactly for invocations, up to the error of {@link
 * CostForecast} for dollars.
 *
 * <p>A call for several documents is one invocation, however many of them are scored.
 *
 * <p>A sample that only embeds a labelled example is not an invocation. One that asks the proxy of
 * a model cascade is. All samples for evidence together may use {@value #EVIDENCE_SHARE} of their
 * operator's share of a budget in dollars or tokens, and {@value #EVIDENCE_INVOCATIONS} of its
 * invocations.
 *
 * <p>Every semantic operator has an equal share, so that operators downstream get samples. What an
 * operator leaves of its share, the others may use at the end. An operator that was added after a
 * plan gets its share although the others have used the budget: what they used beyond their present
 * shares before its first sample is granted anew. Each live document beside the plan adds what
 * {@value #PLANS_PER_LIVE} plans cost on it.
 */
public final class BudgetMeter {

  /** Tolerance for sums of doubles: a budget of 0.3 pays for 0.1 three times. */
  private static final double ROUNDING = 1e-9;

  /** Fraction of an operator's share of a budget in dollars or tokens that may pay for evidence. */
  static final double EVIDENCE_SHARE = 0.2;

  /** The fraction of invocations; larger, because a proxy is cheaper than most implementations. */
  static final double EVIDENCE_INVOCATIONS = 0.35;

  /** What the search may spend on a live document: to compare two plans. */
  private static final int PLANS_PER_LIVE = 2;

  private final SampleBudget budget;
  private final CostForecast forecast;
  private double available;
  private final Map<String, Double> shares;
  private final Set<String> added;
  private final Map<String, Double> used = new HashMap<>();
  private final Map<String, Double> usedForEvidence = new HashMap<>();
  private double total;
  private double granted;
  private double samples;

  private BudgetMeter(
      SampleBudget budget,
      CostForecast forecast,
      double available,
      Map<String, Double> shares,
      Set<String> added) {
    this.budget = budget;
    this.forecast = forecast;
    this.available = available;
    this.shares = shares;
    this.added = added;
  }

  /**
   * The whole budget of a program.
   *
   * @param withheld fraction of the budget, in [0, 1), that is kept back; at least one sample per
   *     operator stays available
   * @param added ids of the operators that a plan was made without
   */
  public static BudgetMeter of(
      Program program, CostForecast forecast, double withheld, Set<String> added) {
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
    return new BudgetMeter(budget, forecast, available, shares, added);
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

  /**
   * Charges the samples of a round; returns this meter.
   *
   * @param counts whether a sample is of use for the program as it is now; others are not charged,
   *     so that what has changed gets its share anew
   */
  public BudgetMeter charge(SampleLedger ledger, String round, Predicate<DrawnSample> counts) {
    // A restarted optimizer may read the tasks in another order.
    ledger
        .samples()
        .filter(issued -> issued.stamp().round().equals(round) && counts.test(issued))
        .sorted(Comparator.comparingLong(issued -> issued.stamp().sequence()))
        .forEach(this::charge);
    return this;
  }

  /** Adds the budget of live documents, at the mean charge of a sample; returns this meter. */
  public BudgetMeter withLive(long documents) {
    double each = budget instanceof SampleBudget.Invocations ? 1 : total / Math.max(1, samples);
    double more = PLANS_PER_LIVE * documents * each;
    shares.replaceAll((_, share) -> share + more);
    available += more * shares.size();
    return this;
  }

  private void charge(DrawnSample issued) {
    double units = units(issued.task(), issued.observation());
    if (issued.isUnavailable()) {
      // Another sample replaces it, so only the cost counts.
      chargeCost(issued.stamp().chargedTo(), units);
    } else {
      charge(issued.task(), issued.stamp().chargedTo(), units);
    }
  }

  /** The charge of a sample in samples, USD or tokens; the expected one if it is not observed. */
  private double units(SampleTask task, @Nullable Observation observation) {
    return switch (budget) {
      case SampleBudget.Invocations _ -> invocations(task);
      case SampleBudget.Dollars _ -> observation == null ? forecast.of(task) : observation.spent();
      case SampleBudget.Tokens _ ->
          observation == null ? forecast.tokens(task) : CostForecast.tokens(observation);
    };
  }

  private static double invocations(SampleTask task) {
    SampleTask.Batch batch = task.batch();
    return batch != null
        ? 1.0 / batch.documents()
        : task.evidenceOnly() && !task.paysForEvidence() ? 0 : 1;
  }

  private void chargeCost(String operator, double units) {
    if (!(budget instanceof SampleBudget.Invocations)) {
      use(operator, units);
    }
  }

  private void charge(SampleTask task, String operator, double units) {
    if (task.evidenceOnly()) {
      usedForEvidence.merge(operator, units, Double::sum);
    } else {
      samples += invocations(task);
    }
    use(operator, units);
  }

  private void use(String operator, double units) {
    granted = granted(operator);
    total += units;
    used.merge(operator, units, Double::sum);
  }

  /**
   * Charges all samples of a call if the budget suffices.
   *
   * @param beyondShare whether the operator may use the shares of others
   * @return whether they were charged
   */
  public boolean reserve(List<SampleTask> call, String operator, boolean beyondShare) {
    if (!affords(call.getFirst(), call.size(), operator, beyondShare)) {
      return false;
    }
    call.forEach(task -> charge(task, operator, units(task, null)));
    return true;
  }

  /** Whether the operator's share, and its part for evidence, suffice for tasks like this one. */
  public boolean affords(SampleTask task, int number, String operator) {
    return affords(task, number, operator, false);
  }

  private boolean affords(SampleTask task, int number, String operator, boolean beyondShare) {
    double units = number * units(task, null);
    double share = shares.getOrDefault(operator, 0.0) - used.getOrDefault(operator, 0.0);
    return total + units <= (available + granted(operator)) * (1 + ROUNDING)
        && (beyondShare || units <= share * (1 + ROUNDING))
        && (!task.evidenceOnly() || units <= leftForEvidence(operator) * (1 + ROUNDING));
  }

  /** What is granted beyond the budget when the operator is sampled next. */
  private double granted(String operator) {
    return added.contains(operator) && !used.containsKey(operator)
        ? Math.max(granted, beyondShares())
        : granted;
  }

  /** What all operators used beyond their shares. */
  private double beyondShares() {
    return used.entrySet().stream()
        .mapToDouble(one -> Math.max(0, one.getValue() - shares.getOrDefault(one.getKey(), 0.0)))
        .sum();
  }

  private double leftForEvidence(String operator) {
    double part =
        budget instanceof SampleBudget.Invocations ? EVIDENCE_INVOCATIONS : EVIDENCE_SHARE;
    return part * shares.getOrDefault(operator, 0.0) - usedForEvidence.getOrDefault(operator, 0.0);
  }

  /**
   * Number of samples issued in this round, without those that only collect evidence. A call for
   * several documents counts as one.
   */
  public int samples() {
    return (int) Math.round(samples);
  }

  /** The budget of the round, with that of live documents. */
  public SampleBudget budget() {
    return switch (budget) {
      case SampleBudget.Invocations _ -> new SampleBudget.Invocations((int) available);
      case SampleBudget.Dollars _ -> new SampleBudget.Dollars(available);
      case SampleBudget.Tokens _ -> new SampleBudget.Tokens((long) available);
    };
  }
}
