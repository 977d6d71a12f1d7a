/**
 * How good results are: {@link dev.abacus.deploy.score.ResultScores} compares what a job gave with
 * labels of its documents, by the metrics of the program and with the scorer that samples are
 * scored with.
 */
@NullMarked
package dev.abacus.deploy.score;

import org.jspecify.annotations.NullMarked;
