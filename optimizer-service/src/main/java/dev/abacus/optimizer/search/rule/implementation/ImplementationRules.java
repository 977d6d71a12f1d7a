package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.plan.SemanticAggregation;
import dev.abacus.schemas.program.Aggregate;
import java.util.List;

/** The implementation rules of the optimizer. A new technique adds its rule here. */
public final class ImplementationRules {

  /**
   * A semantic aggregate as model calls (paper, section 4.1). Parameters: model.
   *
   * <pre>{@code
   *                the documents of a group
   * aggregate ==>    |
   *                model m, in several parts if they exceed its context
   * }</pre>
   *
   * <p>Preserves meaning: the model reads every document of the group.
   */
  private static final ImplementationRule AGGREGATE =
      ImplementationRule.ofPaper(
          "ImplementAggregateWithModel",
          operator -> operator instanceof Aggregate && operator.isSemantic(),
          choices -> choices.perModel(SemanticAggregation::new));

  /**
   * An operator that needs no model: projection, limit, relational aggregate, join on equal keys,
   * merge of branches. No parameters.
   *
   * <pre>{@code
   * operator  ==>  the relational operator
   * }</pre>
   *
   * <p>Preserves meaning: the result is exact. Does not fire on semantic operators.
   */
  private static final ImplementationRule RELATIONAL =
      ImplementationRule.ofPaper(
          "ImplementRelational",
          operator -> !operator.isSemantic(),
          _ -> List.of(new Relational()));

  /** All rules. Their order is the order of implementations in the search space. */
  public static final List<ImplementationRule> ALL =
      List.of(
          MapAndFilterRules.MODEL_SELECTION,
          MapAndFilterRules.REDUCED_CONTEXT,
          MapAndFilterRules.CRITIQUE_AND_REFINE,
          MapAndFilterRules.MIXTURE_OF_AGENTS,
          SelectionRules.SEARCH,
          JoinRules.NESTED_LOOPS,
          JoinRules.EMBEDDINGS,
          AGGREGATE,
          RELATIONAL,
          MapAndFilterRules.HEAD_AND_TAIL,
          MapAndFilterRules.SPLIT_AND_MERGE,
          MapAndFilterRules.COMPRESSED_CONTEXT,
          MapAndFilterRules.GLEANING,
          MapAndFilterRules.TUPLE_BATCH,
          MapAndFilterRules.CONDITIONS,
          MapAndFilterRules.LEARNED_CASCADE,
          MapAndFilterRules.MODEL_CASCADE,
          MapAndFilterRules.FEW_SHOT,
          MapAndFilterRules.REASONING,
          JoinRules.REASONING,
          JoinRules.FEW_SHOT,
          JoinRules.CHOICE,
          SelectionRules.GRADES,
          SelectionRules.WINDOWS,
          SelectionRules.COMPARISONS,
          SelectionRules.PAIRS,
          SelectionRules.CHOICE);

  private ImplementationRules() {}
}
