/**
 * {@link dev.abacus.deploy.score.ResultScores} scores the results of a job against labels of its
 * documents, with the metrics of the program and the scorer of the samples. {@code ProgramFlow}
 * tells which operators may drop or multiply documents, {@code ResultFields} what remains of the
 * output of an operator, and {@code FilterFigures} scores filters. {@link
 * dev.abacus.deploy.score.DocumentOutcomes} has the results, failures and journeys of a job.
 */
@NullMarked
package dev.abacus.deploy.score;

import org.jspecify.annotations.NullMarked;
