package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.ChoiceResolution;
import dev.abacus.schemas.plan.ListwiseRanking;
import dev.abacus.schemas.plan.PairwiseRanking;
import dev.abacus.schemas.plan.PairwiseResolution;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PointwiseRanking;
import dev.abacus.schemas.plan.TopKSearch;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.TopK;
import java.util.ArrayList;
import java.util.List;

/** Rules for operators that select among items: top-k, rank and entity resolution. */
final class SelectionRules {

  /** Numbers of items that a search finds if the program leaves k open. */
  private static final List<Integer> ITEMS = List.of(1, 3, 5, 10, 15, 20, 25);

  /** Numbers of nearest items among which an entity is looked for. */
  private static final List<Integer> CANDIDATES = List.of(5, 20);

  /**
   * A top-k as a search of the vector index (paper, section 4.1). Parameters: embedder × k, or the
   * k that the program states.
   *
   * <pre>{@code
   *            embedder e: the query fields
   * top-k ==>    |
   *            the k nearest items of the reference
   * }</pre>
   *
   * <p>Preserves meaning: the result is the items most similar to the document, best first. If the
   * program leaves k open, k is part of the choice.
   */
  static final ImplementationRule SEARCH =
      new ImplementationRule(
          "ImplementTopKWithSearch",
          true,
          operator -> operator instanceof TopK,
          (operator, choices) -> {
            Integer given = operator instanceof TopK topK ? topK.k() : null;
            List<PhysicalOperator> all = new ArrayList<>();
            for (String embedder : choices.embedders()) {
              for (int k : given == null ? ITEMS : List.of(given)) {
                all.add(new TopKSearch(embedder, k));
              }
            }
            return all;
          });

  /**
   * A rank that grades every item on its own. Parameters: model.
   *
   * <pre>{@code
   *            for each item:
   * rank ==>     model m: how well does it meet the criterion?
   *            order by grade
   * }</pre>
   *
   * <p>Preserves meaning: a better item has a higher grade.
   */
  static final ImplementationRule GRADES =
      ImplementationRule.notInPaper(
          "ImplementRankWithGrades",
          SemanticRank.class::isInstance,
          choices -> choices.perModel(PointwiseRanking::new));

  /**
   * A rank that orders windows of items (RankGPT). Parameters: model × size of the window.
   *
   * <pre>{@code
   *            for each window, from the end of the list to its beginning:
   * rank ==>     model m: order the items
   *            again, until the items to keep are in order
   * }</pre>
   *
   * <p>Preserves meaning: if every window is in the right order, the kept items are.
   */
  static final ImplementationRule WINDOWS =
      ImplementationRule.notInPaper(
          "ImplementRankWithWindows",
          SemanticRank.class::isInstance,
          choices -> choices.perModel(List.of(10, ListwiseRanking.WIDE), ListwiseRanking::new));

  /**
   * A rank that compares items in pairs (LOTUS). Parameters: model.
   *
   * <pre>{@code
   *            quickselect and quicksort, where
   * rank ==>     model m: which of two items is better?
   * }</pre>
   *
   * <p>Preserves meaning: if every comparison is right, the kept items are in the right order.
   */
  static final ImplementationRule COMPARISONS =
      ImplementationRule.notInPaper(
          "ImplementRankWithComparisons",
          SemanticRank.class::isInstance,
          choices -> choices.perModel(PairwiseRanking::new));

  /**
   * An entity resolution that decides each candidate. Parameters: model × embedder × k.
   *
   * <pre>{@code
   *               for each of the k items nearest by embedder e:
   * resolve ==>     model m: is it the same entity?
   *               the nearest item that is
   * }</pre>
   *
   * <p>Preserves meaning: the model evaluates the condition on each candidate; an entity outside of
   * the k nearest items is missed, which samples measure.
   */
  static final ImplementationRule PAIRS =
      ImplementationRule.notInPaper(
          "ImplementResolutionWithPairs",
          EntityResolution.class::isInstance,
          choices -> choices.perShortlist(CANDIDATES, PairwiseResolution::new));

  /**
   * An entity resolution that chooses among the candidates in one call. Parameters: model ×
   * embedder × k.
   *
   * <pre>{@code
   *               model m: which of the k items nearest by embedder e
   * resolve ==>   is the same entity?
   * }</pre>
   *
   * <p>Preserves meaning: the model evaluates the condition on all candidates; an entity outside of
   * the k nearest items is missed, which samples measure.
   */
  static final ImplementationRule CHOICE =
      ImplementationRule.notInPaper(
          "ImplementResolutionWithChoice",
          EntityResolution.class::isInstance,
          choices -> choices.perShortlist(CANDIDATES, ChoiceResolution::new));

  private SelectionRules() {}
}
