package dev.abacus.deploy.simulator.answering;

import dev.abacus.deploy.simulator.prompt.FieldShape;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One property that a model must fill.
 *
 * @param name property of the answer object
 * @param shape the type that the schema requires
 * @param truth the right value; null if it is unknown
 * @param conjuncts the ground truth of each condition of a conjunction; empty for other questions
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
