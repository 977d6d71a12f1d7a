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
 * <p>Every semantic operator has a frontier of k arms. In each round a new arm gets j examples and
 * an old arm 1 more; all arms take the examples in the same order, so that comparisons are paired.
 * After a round the Pareto-optimal arms are determined by their means on the metrics of the
 * objective. An arm leaves if its optimistic bound ({@link ConfidenceBounds}) is worse than the
 * pessimistic bound of one Pareto-optimal arm on <em>every</em> metric of the objective; the next
 * arm of the {@link Reservoir} takes its place.
 *
 * <p>Beyond the paper: an arm that has every example gives its place to the next arm of the
 * reservoir, and stays an arm that others are compared with. An arm whose samples all failed leaves
 * after its first round, since a failure may be cheap and fast and must not count as optimal. An
 * operator whose arms all failed is given up. The search of an operator ends when every arm of its
 * frontier has every example, or when one arm is left and the reservoir is empty. The caller ends
 * it when the budget is spent.
 *
 * @param frontierSize k, the number of arms compared at a time; at least 1
 * @param newArmExamples j, the number of examples of an arm's first round; at least 1
 */
public record BanditSampling(Reservoir reservoir, int frontierSize, int newArmExamples)
    implements SamplingPolicy {

  /** k of the paper's Algorithm 1. */
  public static final int FRONTIER_SIZE = 6;

  /** j of the paper's Algorithm 1. */
  public static final int NEW_ARM_EXAMPLES = 4;

  public BanditSampling {
    if (frontierSize < 1 || newArmExamples < 1) {
      throw new IllegalArgumentException(
          "k = %d and j = %d must be at least 1".formatted(frontierSize, newArmExamples));
    }
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
