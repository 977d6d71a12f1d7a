package dev.abacus.optimizer.sampling.bandit;

import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Proposal.Conclusion;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The paper's multi-armed bandit over operators (section 3.3, Algorithm "MAB operator sampling").
 *
 * <p>Every semantic operator has a frontier of k arms out of possibly thousands. A new arm is given
 * j examples, an old one 1 more in each round; all arms take the examples in the same order, so
 * that they are compared on the same ones. After a round the Pareto-optimal arms are found by their
 * means on the metrics of the objective. An arm leaves when its optimistic bound ({@link
 * ConfidenceBounds}) falls short of some Pareto arm's pessimistic bound on <em>every</em> metric of
 * the objective, and the next of the {@link Reservoir} takes its place. Overlap on one metric is
 * reason enough to stay: not one best arm is looked for, but all of the Pareto front.
 *
 * <p>Beyond the paper: an arm whose every sample failed leaves after its first round (a failure may
 * be cheap and quick, and must not pass for optimal), and an operator of which no arm ever answered
 * is given up. The search of an operator ends when every arm of its frontier has had every example,
 * or one arm is left with nothing in the reservoir; the caller ends it when the budget is spent.
 */
public final class BanditSampling implements SamplingPolicy {

  /** k of the paper's Algorithm 1. */
  public static final int FRONTIER_SIZE = 6;

  /** j of the paper's Algorithm 1. */
  public static final int NEW_ARM_EXAMPLES = 4;

  private final Reservoir reservoir;
  private final int frontierSize;
  private final int newArmExamples;

  /**
   * The bandit with its parameters.
   *
   * @param frontierSize arms that are compared at a time, at least 1
   * @param newArmExamples examples that an arm gets in its first round, at least 1
   * @throws IllegalArgumentException if one of them is below 1
   */
  public BanditSampling(Reservoir reservoir, int frontierSize, int newArmExamples) {
    if (frontierSize < 1 || newArmExamples < 1) {
      throw new IllegalArgumentException(
          "k = %d and j = %d must be at least 1".formatted(frontierSize, newArmExamples));
    }
    this.reservoir = reservoir;
    this.frontierSize = frontierSize;
    this.newArmExamples = newArmExamples;
  }

  /** The paper's parameters. */
  public static BanditSampling seeded(long seed) {
    return new BanditSampling(Reservoir.seeded(seed), FRONTIER_SIZE, NEW_ARM_EXAMPLES);
  }

  @Override
  public Proposal propose(SamplingState situation) {
    List<Pull> pulls = new ArrayList<>();
    Map<String, Conclusion> conclusions = new LinkedHashMap<>();
    for (OperatorSamples operator : situation.operators()) {
      OperatorFrontier frontier =
          new OperatorFrontier(
              situation.objective(), operator, reservoir, frontierSize, newArmExamples);
      pulls.addAll(frontier.wanted());
      Conclusion conclusion = frontier.conclusion();
      if (conclusion != null) {
        conclusions.put(operator.operator(), conclusion);
      }
    }
    return new Proposal(pulls, conclusions);
  }
}
