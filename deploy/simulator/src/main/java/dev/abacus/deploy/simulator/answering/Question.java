package dev.abacus.deploy.simulator.answering;

import dev.abacus.deploy.simulator.prompt.FieldShape;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is asked.
 *
 * @param name property of the answer
 * @param shape what fits there
 * @param truth what is right, or null if unknown
 * @param conjuncts the truths of the conditions that must all hold; empty if it is no conjunction
 */
record Question(
    String name, FieldShape shape, @Nullable GroundTruth truth, List<GroundTruth> conjuncts) {

  Question {
    conjuncts = List.copyOf(conjuncts);
  }

  Question(String name, FieldShape shape, @Nullable GroundTruth truth) {
    this(name, shape, truth, List.of());
  }
}
