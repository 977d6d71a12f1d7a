package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.SplitAndMerge;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map or filter asked of every chunk, with the answers merged by the same model. Parameters:
 * model × chunk size in tokens. Not in the paper (DocETL: Agentic query rewriting, 2024). No part
 * of a long document is overlooked or exceeds the context.
 *
 * <pre>{@code
 *                   chunk 1   chunk 2   …   chunk n      model m each
 * map, filter  ==>     \         |          /
 *                     merged by model m
 * }</pre>
 *
 * <p>Preserves meaning: the model processes every part of the input under the same task, and the
 * merged answer has the form that the operator asks for.
 */
final class ImplementWithSplitAndMerge implements ImplementationRule {

  private static final List<Integer> CHUNK_TOKENS = List.of(1_280, 5_120);

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perModel(
        CHUNK_TOKENS, (model, tokens) -> new SplitAndMerge(model, tokens, model));
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
