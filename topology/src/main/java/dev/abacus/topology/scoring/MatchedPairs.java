package dev.abacus.topology.scoring;

import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.topology.operator.OperatorOutcome;
import org.jspecify.annotations.Nullable;

/** The pairs of a document with the items of a reference in the outcome of a join. */
public final class MatchedPairs {

  private MatchedPairs() {}

  /** The pairs of an outcome; null if it has none. */
  static Evidence.@Nullable Pairs of(OperatorOutcome outcome) {
    return outcome.evidence() instanceof Evidence.Pairs pairs ? pairs : null;
  }

  /**
   * The expected number of outputs for the whole reference, from the pairs of a sample: the sum of
   * the weights of the pairs that the join matches. A document that matches no item has one output
   * of a left join and none of an inner join; a join that collects has at most one output.
   *
   * @return null if the operator is no join with a reference
   */
  public static @Nullable Double expectedOutputs(
      LogicalOperator operator, OperatorOutcome outcome) {
    Evidence.Pairs all = of(outcome);
    if (!(operator instanceof ReferenceJoin join) || all == null) {
      return null;
    }
    MatchCounts counts = MatchCounts.of(all.pairs());
    return join.outputs(counts.found() + counts.wrong());
  }
}
