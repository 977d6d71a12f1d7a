package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.List;

/**
 * A filter as a mixture of agents: sets of one to three proposers × their temperature × aggregator
 * (paper, section 4.1).
 *
 * <pre>{@code
 *              proposer 1   proposer 2   proposer 3     side by side, temperature t
 * filter ==>        \           |           /
 *                    aggregator m                    sees the input and the proposals
 * }</pre>
 *
 * <p>Meaning is preserved: every model is told the whole task and the whole input, and the
 * aggregator answers in the form asked for (yes or no).
 */
public final class ImplementFilterWithMixtureOfAgents implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.mixtureOfAgents(choices);
  }
}
