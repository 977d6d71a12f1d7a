package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.state.Beliefs;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.StepEstimate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What to do after the latest events.
 *
 * @param samples the samples to draw now; empty while others are outstanding and when sampling is
 *     finished
 * @param ending why sampling is finished, as a clause for users; null while it is in progress
 * @param best the best plan by the present samples; null while some operator has no implementation
 *     that may be chosen
 * @param beliefs what {@code best} rests on
 * @param proposal what the policy asked for
 * @param promise the measurement of the best plan on unused examples; null if there is none
 * @param unpromised why a finished search promises nothing, as a clause for users; else null
 */
public record Decision(
    List<DrawnSample> samples,
    @Nullable String ending,
    @Nullable SearchResult best,
    Beliefs beliefs,
    Proposal proposal,
    @Nullable PlanPromise promise,
    @Nullable String unpromised) {

  /** Sampling continues with these samples. */
  static Decision sampling(
      List<DrawnSample> samples, @Nullable SearchResult best, Beliefs beliefs, Proposal proposal) {
    return new Decision(samples, null, best, beliefs, proposal, null, null);
  }

  /** Whether sampling is finished. */
  public boolean finished() {
    return ending != null;
  }

  /** The intervals of the sampled implementations in plans, by operator and implementation. */
  Map<String, Map<String, StepEstimate>> intervals(Collection<PlanChoice> plans) {
    Map<String, Map<String, StepEstimate>> all = new TreeMap<>();
    for (PlanChoice plan : plans) {
      for (PlanStep step : plan.allSteps()) {
        Belief belief = beliefs.find(step);
        if (belief != null) {
          all.computeIfAbsent(step.logical().id(), _ -> new TreeMap<>())
              .put(step.physical().id(), belief.intervals());
        }
      }
    }
    return all;
  }
}
