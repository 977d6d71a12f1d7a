/**
 * What prompts show: the fields of a document in the best order ({@link
 * dev.abacus.optimizer.loop.prompt.FieldOrder}), labelled examples ({@link
 * dev.abacus.optimizer.loop.prompt.ExampleChooser}), and to the judge graded ones ({@link
 * dev.abacus.optimizer.loop.prompt.GradedExamples}).
 */
@NullMarked
package dev.abacus.optimizer.loop.prompt;

import org.jspecify.annotations.NullMarked;
