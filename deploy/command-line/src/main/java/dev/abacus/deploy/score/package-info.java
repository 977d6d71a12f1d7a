/**
 * {@link dev.abacus.deploy.score.ResultScores} scores the results of a job against labels of its
 * documents, with the metrics of the program and the scorer of the samples.
 */
@NullMarked
package dev.abacus.deploy.score;

import org.jspecify.annotations.NullMarked;
