package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayList;
import java.util.List;

/**
 * A map or filter as a mixture of agents (paper, section 4.1). Parameters: set of one to three
 * proposers × their temperature × aggregator.
 *
 * <pre>{@code
 *                   proposer 1   proposer 2   proposer 3     in parallel, temperature t
 * map, filter  ==>        \           |           /
 *                         aggregator m                     sees the input and the proposals
 * }</pre>
 *
 * <p>Preserves meaning: every model gets the whole task and the whole input, and the aggregator
 * answers in the form that the operator asks for.
 */
final class ImplementWithMixtureOfAgents implements ImplementationRule {

  private static final int MAX_PROPOSERS = 3;
  private static final List<Double> TEMPERATURES = List.of(0.0, 0.4, 0.8);

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (List<String> proposers : subsets(choices.models().stream().sorted().toList())) {
      for (double temperature : TEMPERATURES) {
        for (String aggregator : choices.models()) {
          all.add(new MixtureOfAgents(proposers, temperature, aggregator));
        }
      }
    }
    return all;
  }

  /** All subsets of one to three names, smaller subsets first, each in the order of the names. */
  private static List<List<String>> subsets(List<String> names) {
    List<List<String>> subsets = new ArrayList<>();
    names.forEach(name -> subsets.add(List.of(name)));
    int from = 0;
    for (int size = 2; size <= MAX_PROPOSERS; size++) {
      int to = subsets.size();
      for (List<String> smaller : List.copyOf(subsets.subList(from, to))) {
        for (String name : names.subList(names.indexOf(smaller.getLast()) + 1, names.size())) {
          List<String> larger = new ArrayList<>(smaller);
          larger.add(name);
          subsets.add(larger);
        }
      }
      from = to;
    }
    return subsets;
  }
}
