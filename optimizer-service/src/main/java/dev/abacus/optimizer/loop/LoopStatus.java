package dev.abacus.optimizer.loop;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How the search for a program's plan stands; what users are shown.
 *
 * @param phase where it is
 * @param samplesIssued tasks charged to the budget of the present round
 * @param samplesObserved observations of the program as it stands, of all rounds
 * @param samplesOutstanding tasks that are still to come back
 * @param budgetSamples the budget of a round in invocations; null if it is in dollars
 * @param budgetUsd the budget of a round in USD; null if it is in invocations
 * @param spentUsd USD spent on samples of the program as it stands, judge included
 * @param judgeUsd USD of these that the judge cost
 * @param epoch of the active plan; null before the first
 * @param objective in force
 * @param feasible whether the active plan's estimate meets every bound; null before the first
 * @param chosen the active plan in one line; null before the first
 * @param message what is going on, or what is missing, in words
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LoopStatus(
    String program,
    Phase phase,
    int samplesIssued,
    int samplesObserved,
    int samplesOutstanding,
    @Nullable Integer budgetSamples,
    @Nullable Double budgetUsd,
    double spentUsd,
    double judgeUsd,
    @Nullable Long epoch,
    String objective,
    @Nullable Boolean feasible,
    @Nullable String chosen,
    String message) {

  /** Where a search is. */
  public enum Phase {
    /** There is nothing to sample on. */
    WAITING_FOR_EXAMPLES,
    /** Samples are out, or about to be. */
    SAMPLING,
    /** The program is paused; so are samples. */
    PAUSED,
    /** No more samples are needed or paid for, and there is a plan. */
    FINISHED,
    /** No more samples will be drawn, and some operator has no implementation that works. */
    STUCK
  }
}
