package dev.abacus.deploy.simulator.reading;

import dev.abacus.deploy.simulator.prompt.FieldShape;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is asked.
 *
 * @param name property of the answer
 * @param shape what fits there
 * @param truth what is right, or null if unknown
 */
record Question(String name, FieldShape shape, @Nullable Truth truth) {}
