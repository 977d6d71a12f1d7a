package dev.abacus.optimizer.sampling.prior;

import java.util.Comparator;
import java.util.List;

/**
 * What the search for one program has learnt of the implementations of one operator: a record of
 * the topic that all programs of a cluster share.
 *
 * @param kind of the operator, such as {@code map}; only operators of one kind learn of each other
 * @param implementations those that gave an answer at least once, in order of their ids
 */
public record LearntOperator(String kind, List<LearntArm> implementations) {

  public LearntOperator {
    implementations = implementations.stream().sorted(Comparator.comparing(LearntArm::id)).toList();
  }
}
