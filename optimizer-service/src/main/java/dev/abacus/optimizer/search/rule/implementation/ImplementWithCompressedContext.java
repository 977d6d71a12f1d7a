package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.CompressedContext;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayList;
import java.util.List;

/**
 * A map or filter over a summary of the relevant input. Parameters: compressor × model, two
 * different ones. Not in the paper. A cheap model reads, a better model decides.
 *
 * <pre>{@code
 *                   compressor c: what is relevant to the task
 * map, filter  ==>    |
 *                   model m answers from the summary alone
 * }</pre>
 *
 * <p>Preserves meaning: the task and the form of the answer stay the same. Information that the
 * compressor omits lowers the measured quality.
 */
final class ImplementWithCompressedContext implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String compressor : choices.models()) {
      for (String model : choices.models()) {
        if (!compressor.equals(model)) {
          all.add(new CompressedContext(compressor, model));
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
