package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.optimizer.search.rule.ImplementationRule.Choices;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import java.util.List;
import java.util.stream.Stream;

/** Rules for joins with a condition in natural language. */
final class JoinRules {

  /** Number of pairs that a prompt shows: two that match and two that do not. */
  private static final int PAIRS = 4;

  /** Numbers of nearest items among which matches are looked for. */
  private static final List<Integer> CANDIDATES = List.of(10, 30, 100);

  /**
   * A join that asks a model about every pair (paper, section 4.1). Parameters: model.
   *
   * <pre>{@code
   *           for each document, for each item:
   * join ==>    model m: does the condition hold?
   * }</pre>
   *
   * <p>Preserves meaning: the model evaluates the condition on every pair.
   */
  static final ImplementationRule NESTED_LOOPS =
      ImplementationRule.ofPaper(
          "ImplementJoinWithNestedLoops",
          JoinRules::isJoin,
          choices -> choices.perModel(NestedLoopsJoin::new));

  /**
   * A join that asks a model only about pairs that their similarity does not decide (paper, section
   * 4.1). Parameters: model × embedder. Sampling learns the two thresholds.
   *
   * <pre>{@code
   *           similarity of the pair
   * join ==>    below low: no   |   between: model m   |   above high: yes
   * }</pre>
   *
   * <p>Preserves meaning: the thresholds are chosen for a stated precision and recall. Wrong
   * decisions lower the measured quality.
   */
  static final ImplementationRule EMBEDDINGS =
      ImplementationRule.ofPaper(
          "ImplementJoinWithEmbeddings",
          JoinRules::isJoin,
          choices ->
              choices.perEmbedder(
                  (model, embedder) -> Stream.of(new EmbeddingJoin(model, embedder, null, null))));

  /**
   * A join that asks a model about every pair, which reasons before it answers. Parameters: model,
   * how it reasons.
   *
   * <pre>{@code
   *           for each document, for each item:
   * join ==>    model m: reasoning, does the condition hold?
   * }</pre>
   *
   * <p>Preserves meaning: as {@link #NESTED_LOOPS}.
   */
  static final ImplementationRule REASONING =
      ImplementationRule.notInPaper(
          "ImplementJoinWithReasoning",
          JoinRules::isJoin,
          choices -> choices.perReasoning(NestedLoopsJoin::new));

  /**
   * A join whose model sees labelled pairs. Parameters: model, and embedder for the pairs that
   * similarity decides.
   *
   * <pre>{@code
   *           for each document, for each partner (or those between the thresholds):
   * join ==>    labelled pairs, the pair  →  model m: does the condition hold?
   * }</pre>
   *
   * <p>Preserves meaning: as {@link #NESTED_LOOPS} and {@link #EMBEDDINGS}. Does not fire on a join
   * with a condition in code, because a pair that fails it says nothing about what the model
   * decides.
   */
  static final ImplementationRule FEW_SHOT =
      ImplementationRule.notInPaper(
          "ImplementJoinWithFewShot",
          operator ->
              isJoin(operator)
                  && !(operator instanceof ReferenceJoin join && !join.pairs().isNone()),
          JoinRules::fewShot);

  /**
   * A join with a reference that names all matches in one call. Parameters: model × embedder × k.
   *
   * <pre>{@code
   *            model m: which of the k items nearest by embedder e
   * join ==>   does the condition hold for?
   * }</pre>
   *
   * <p>Preserves meaning: the model evaluates the condition on all candidates; a match outside of
   * the k nearest items is missed, which samples measure. Does not fire on joins of two streams,
   * whose pairs arrive one by one.
   */
  static final ImplementationRule CHOICE =
      ImplementationRule.notInPaper(
          "ImplementJoinWithChoice",
          operator -> operator instanceof ReferenceJoin,
          choices -> choices.perShortlist(CANDIDATES, ChoiceJoin::new));

  private JoinRules() {}

  private static List<PhysicalOperator> fewShot(Choices choices) {
    return choices.some(model ->
        Stream.concat(
            Stream.of(new NestedLoopsJoin(model, null, PAIRS, null)),
            choices.embedders().stream()
                .map(embedder -> new EmbeddingJoin(model, embedder, null, null, PAIRS, null))));
  }

  private static boolean isJoin(LogicalOperator operator) {
    return operator instanceof ReferenceJoin
        || (operator instanceof StreamJoin join && join.condition() != null);
  }
}
