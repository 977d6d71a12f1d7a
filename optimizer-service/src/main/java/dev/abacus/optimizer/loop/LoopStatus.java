package dev.abacus.optimizer.loop;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.optimizer.loop.state.ProgramSnapshot.SampleTotals.LiveRuns;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import dev.abacus.schemas.plan.Standing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of the search for a program's plan, for users.
 *
 * @param phase the phase of the search
 * @param samplesIssued tasks charged to the budget of the current round
 * @param samplesObserved observations that count for the current program, of all rounds
 * @param samplesOutstanding tasks without an observation
 * @param budgetSamples the budget of a round in invocations; null if it is not in invocations
 * @param budgetUsd the budget of a round in USD; null if it is not in USD
 * @param budgetTokens the budget of a round in tokens; null if it is not in tokens
 * @param spentTokens tokens of the samples of the current program, judge included
 * @param spentUsd USD spent on samples of the current program, judge included
 * @param judgeUsd the part of {@code spentUsd} for the judge
 * @param epoch of the active plan; null before the first plan
 * @param objective in force
 * @param feasible whether every bound of the active plan holds; null before the first
 * @param standing of the active plan towards that objective; null before the first
 * @param chosen the active plan in one line; null before the first
 * @param message the active plan, or what is missing, as a sentence
 * @param models the models that cannot be called, each since its first failure, with the reason,
 *     what the search does, and what the user can do
 * @param beside live documents that ran beside the plan; null for none
 * @param warnings what makes the plan less trustworthy, as sentences
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
    @Nullable Long budgetTokens,
    long spentTokens,
    double spentUsd,
    double judgeUsd,
    @Nullable Long epoch,
    String objective,
    @Nullable Boolean feasible,
    @Nullable Standing standing,
    @Nullable String chosen,
    String message,
    List<ModelReport> models,
    @Nullable LiveRuns beside,
    List<String> warnings) {

  /** The phases of a search. */
  public enum Phase {
    /** There is no validation example. */
    WAITING_FOR_EXAMPLES,
    /** Samples are being drawn. */
    SAMPLING,
    /** No sample can be drawn before a model or the judge answers. */
    WAITING_FOR_MODELS,
    /** The program is paused, so no samples are drawn. */
    PAUSED,
    /** Sampling is finished and there is a plan. */
    FINISHED,
    /** Sampling is finished and some operator has no working implementation. */
    STUCK
  }
}
