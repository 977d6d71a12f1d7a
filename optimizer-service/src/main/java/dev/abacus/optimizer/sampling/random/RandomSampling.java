package dev.abacus.optimizer.sampling.random;

import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Proposal.Conclusion;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The baseline of the paper (section 4.6): k random implementations of every operator, each on B/k
 * examples.
 *
 * @param reservoir draws the arms
 * @param arms k, at least 1
 * @param samplesPerOperator B, the number of samples planned for one operator; at least 1
 */
public record RandomSampling(Reservoir reservoir, int arms, int samplesPerOperator)
    implements SamplingPolicy {

  public RandomSampling {
    if (arms < 1 || samplesPerOperator < 1) {
      throw new IllegalArgumentException(
          "k = %d and B = %d must be at least 1".formatted(arms, samplesPerOperator));
    }
  }

  @Override
  public Proposal propose(SamplingState situation) {
    List<Pull> pulls = new ArrayList<>();
    Map<String, Conclusion> conclusions = new LinkedHashMap<>();
    for (OperatorSamples operator : situation.operators()) {
      Conclusion hindrance = operator.hindrance();
      if (hindrance != null) {
        conclusions.put(operator.operator(), hindrance);
      } else if (complete(situation.objective(), operator, pulls)) {
        conclusions.put(operator.operator(), Conclusion.DRAWN_AS_PLANNED);
      }
    }
    return new Proposal(pulls, conclusions);
  }

  private boolean complete(Objective objective, OperatorSamples operator, List<Pull> pulls) {
    List<Arm> drawn =
        reservoir.order(objective, operator.operator(), operator.arms()).stream()
            .limit(arms)
            .toList();
    int examplesPerArm = Math.max(1, samplesPerOperator / arms);
    boolean complete = true;
    for (String example : operator.examples().stream().limit(examplesPerArm).toList()) {
      for (Arm arm : drawn) {
        Sample sample = operator.sample(arm, example);
        if (sample == null) {
          pulls.add(new Pull(operator.operator(), arm, example));
        }
        complete &= sample != null && !(sample instanceof Sample.Outstanding);
      }
    }
    return complete;
  }
}
