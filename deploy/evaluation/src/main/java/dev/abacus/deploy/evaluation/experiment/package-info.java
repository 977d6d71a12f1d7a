/**
 * Sampling policies against landscapes: files that hold the true means of every implementation of
 * an operator, from which samples are drawn with noise. No Kafka, no models; what a policy is worth
 * is seen in seconds.
 *
 * <p>Read {@link dev.abacus.deploy.evaluation.experiment.Landscape} and {@link
 * dev.abacus.deploy.evaluation.experiment.Noise} for the simulated world, {@link
 * dev.abacus.deploy.evaluation.experiment.Trial} for one search in it, {@link
 * dev.abacus.deploy.evaluation.experiment.Summary} for what many of them come to, and {@link
 * dev.abacus.deploy.evaluation.experiment.ExperimentCommand} for the command.
 */
@NullMarked
package dev.abacus.deploy.evaluation.experiment;

import org.jspecify.annotations.NullMarked;
