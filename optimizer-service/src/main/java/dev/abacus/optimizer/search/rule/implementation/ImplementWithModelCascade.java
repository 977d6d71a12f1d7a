package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.ModelCascade;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.List;

/**
 * A filter, or a map with few possible answers, as a cheap model with a stronger model for the
 * uncertain cases. Parameters: model × proxy × target accuracy. Not in the paper (model cascades,
 * FrugalGPT 2023; confidence by log-probabilities, Gupta et al. 2024). Sampling trains the
 * classifier that calibrates the probability of the proxy's answer.
 *
 * <pre>{@code
 *                   proxy p ── answer, log-probability ──► classifier ── confident ──► its answer
 * map, filter  ==>                                             |
 *                                                        not confident ──► one call of model m
 * }</pre>
 *
 * <p>Preserves meaning: both models get the prompt of the operator, and the proxy decides only
 * above a confidence threshold at which its accuracy reached the target. Does not fire on a map
 * with an open set of answers, on a filter with a condition in code, or without a cheaper model
 * that returns log-probabilities.
 */
final class ImplementWithModelCascade implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return ImplementWithLearnedCascade.learnable(operator);
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String model : choices.models()) {
      for (String proxy : choices.proxies(model)) {
        for (double target : ImplementWithLearnedCascade.TARGETS) {
          all.add(new ModelCascade(proxy, model, target, null));
        }
      }
    }
    return all;
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
