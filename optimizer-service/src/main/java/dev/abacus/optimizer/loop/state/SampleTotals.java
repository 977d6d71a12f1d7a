package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.observation.Observation;
import java.util.List;

/**
 * Totals over the samples that count for the current program.
 *
 * @param ofPlans number of observations of whole plans
 * @param outstanding number of samples without an observation, embeddings included
 * @param spentUsd USD paid, judge included
 * @param judgeUsd USD paid to the judge
 * @param tokens judge included
 */
public record SampleTotals(
    int ofPlans, int outstanding, double spentUsd, double judgeUsd, long tokens) {

  /**
   * Adds up samples.
   *
   * @param unavailable observations without a result; only their cost counts
   */
  static SampleTotals of(
      List<StampedTask> samples, List<Observation> unavailable, SampleLedger ledger) {
    int ofPlans = 0;
    int outstanding = 0;
    double spent = 0;
    double judge = 0;
    long tokens = 0;
    for (StampedTask issued : samples) {
      switch (ledger.sample(issued)) {
        case Sample.Observed(Observation observation) -> {
          ofPlans += issued.stamp().alongPlan() ? 1 : 0;
          spent += observation.spent();
          judge += observation.judgeCost();
          tokens += CostForecast.tokens(observation);
        }
        case Sample.Outstanding _ -> outstanding++;
        case Sample.Lost _ -> {
          // Neither observed nor outstanding.
        }
      }
    }
    for (Observation observation : unavailable) {
      spent += observation.spent();
      judge += observation.judgeCost();
      tokens += CostForecast.tokens(observation);
    }
    return new SampleTotals(ofPlans, outstanding, spent, judge, tokens);
  }
}
