package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map or filter asked of every chunk, the answers merged: model × chunk size, merged by the same
 * model. Beyond the paper (DocETL: Agentic query rewriting, 2024): nothing of a long document is
 * overlooked, or falls out of the context.
 *
 * <pre>{@code
 *                   chunk 1   chunk 2   …   chunk n      model m each
 * map, filter ==>      \         |          /
 *                     merged by model m
 * }</pre>
 *
 * <p>Meaning is preserved: every part of the input is looked at under the same task, and the merger
 * answers in the form asked for.
 */
public final class ImplementWithSplitAndMerge implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.splitAndMerge(choices);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
