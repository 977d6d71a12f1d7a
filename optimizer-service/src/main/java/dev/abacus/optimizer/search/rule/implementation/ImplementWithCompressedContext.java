package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map or filter over a summary of what bears on it: compressor × model, two different ones.
 * Beyond the paper: a cheap model reads, a better one decides.
 *
 * <pre>{@code
 *                   compressor c: what bears on the task
 * map, filter ==>     |
 *                   model m answers from that alone
 * }</pre>
 *
 * <p>Meaning is preserved: task and form of the answer stay; what the compressor left out shows in
 * its quality.
 */
public final class ImplementWithCompressedContext implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.compressedContext(choices);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
