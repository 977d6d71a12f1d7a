/**
 * The scenario Movie of SemBench (arXiv 2511.01716), with invented reviews and simulated models.
 * {@link dev.abacus.deploy.evaluation.sembench.MovieReviews} writes reviews whose truth is known,
 * {@link dev.abacus.deploy.evaluation.sembench.MovieQuery} has the ten queries with their labels,
 * and {@code MovieScore} scores answers as SemBench does.
 */
@NullMarked
package dev.abacus.deploy.evaluation.sembench;

import org.jspecify.annotations.NullMarked;
