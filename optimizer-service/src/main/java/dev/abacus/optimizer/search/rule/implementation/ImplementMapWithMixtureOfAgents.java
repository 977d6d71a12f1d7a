package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map as a mixture of agents: sets of one to three proposers × their temperature × aggregator
 * (paper, section 4.1).
 *
 * <pre>{@code
 *              proposer 1   proposer 2   proposer 3     side by side, temperature t
 * map    ==>        \           |           /
 *                    aggregator m                    sees the input and the proposals
 * }</pre>
 *
 * <p>Meaning is preserved: every model is told the whole task and the whole input, and the
 * aggregator answers in the form asked for (the fields that it writes).
 */
public final class ImplementMapWithMixtureOfAgents implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.mixtureOfAgents(choices);
  }
}
