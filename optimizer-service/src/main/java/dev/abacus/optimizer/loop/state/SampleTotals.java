package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import java.util.List;

/**
 * Totals over the samples that count for the current program.
 *
 * @param ofPlans number of observations of whole plans
 * @param inCalls by how many the observations are more than their calls for several documents
 * @param outstanding number of samples without an observation, embeddings included
 * @param spentUsd USD paid, judge included
 * @param judgeUsd USD paid to the judge
 * @param tokens judge included
 */
public record SampleTotals(
    int ofPlans, double inCalls, int outstanding, double spentUsd, double judgeUsd, long tokens) {

  /**
   * Adds up samples.
   *
   * @param unavailable observations without a result; only their cost counts
   */
  static SampleTotals of(
      List<StampedTask> samples, List<Observation> unavailable, SampleLedger ledger) {
    int ofPlans = 0;
    double inCalls = 0;
    int outstanding = 0;
    double spent = 0;
    double judge = 0;
    long tokens = 0;
    for (StampedTask issued : samples) {
      switch (ledger.sample(issued)) {
        case Sample.Observed(Observation observation) -> {
          boolean companion = issued.task().isCompanion();
          SampleTask.Batch batch = issued.task().batch();
          ofPlans += issued.stamp().alongPlan() && !companion ? 1 : 0;
          inCalls += batch == null ? 0 : (companion ? 0 : 1) - 1.0 / batch.documents();
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
    return new SampleTotals(ofPlans, inCalls, outstanding, spent, judge, tokens);
  }
}
