package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import java.util.List;

/** The implementation rules of the optimizer. A new technique adds its rule here. */
public final class ImplementationRules {

  /** All rules. Their order is the order of implementations in the {@link SearchSpace}. */
  public static final List<ImplementationRule> ALL =
      List.of(
          new ImplementWithModelSelection(),
          new ImplementWithReducedContext(),
          new ImplementWithCritiqueAndRefine(),
          new ImplementWithMixtureOfAgents(),
          new ImplementTopKWithSearch(),
          new ImplementJoinWithNestedLoops(),
          new ImplementJoinWithEmbeddings(),
          new ImplementAggregateWithModel(),
          new ImplementRelational(),
          new ImplementWithHeadAndTail(),
          new ImplementWithSplitAndMerge(),
          new ImplementWithCompressedContext(),
          new ImplementMapWithGleaning(),
          new ImplementWithTupleBatch(),
          new ImplementFilterWithConditions(),
          new ImplementWithLearnedCascade(),
          new ImplementWithModelCascade(),
          new ImplementWithFewShot(),
          new ImplementWithReasoning(),
          new ImplementJoinWithReasoning(),
          new ImplementJoinWithFewShot(),
          new ImplementRankWithGrades(),
          new ImplementRankWithWindows(),
          new ImplementRankWithComparisons(),
          new ImplementResolutionWithPairs(),
          new ImplementResolutionWithChoice());

  private ImplementationRules() {}
}
