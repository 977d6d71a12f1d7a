package dev.abacus.optimizer.sampling.prior;

import java.util.Comparator;
import java.util.List;

/**
 * What the search for one program learned about the implementations of one operator: a record of
 * the topic {@code abacus.learnt}.
 *
 * @param kind kind of the operator, such as {@code map}; operators learn from others of their kind
 * @param implementations those with at least one sample that did not fail, in order of their ids
 */
public record LearnedOperator(String kind, List<LearnedArm> implementations) {

  public LearnedOperator {
    implementations =
        implementations.stream().sorted(Comparator.comparing(LearnedArm::id)).toList();
  }
}
