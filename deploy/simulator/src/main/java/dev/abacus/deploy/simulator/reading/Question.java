package dev.abacus.deploy.simulator.reading;

import dev.abacus.deploy.simulator.prompt.FieldShape;
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
record Question(String name, FieldShape shape, @Nullable Truth truth, List<Truth> conjuncts) {

  Question {
    conjuncts = List.copyOf(conjuncts);
  }

  Question(String name, FieldShape shape, @Nullable Truth truth) {
    this(name, shape, truth, List.of());
  }
}
