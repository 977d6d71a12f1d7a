/**
 * Evaluates sampling policies on landscapes: files with the true means of every implementation of
 * an operator. The real optimizer loop runs against a landscape as its data plane, without Kafka
 * and models, so 100 searches take minutes.
 *
 * <p>Reading order: {@link dev.abacus.deploy.evaluation.experiment.Landscape} and {@link
 * dev.abacus.deploy.evaluation.experiment.Noise} (the simulated environment), {@link
 * dev.abacus.deploy.evaluation.experiment.SimulatedArms} and {@link
 * dev.abacus.deploy.evaluation.experiment.LandscapeDataPlane} (the environment as the loop sees
 * it), {@link dev.abacus.deploy.evaluation.experiment.TrialRunner} (the searches), {@link
 * dev.abacus.deploy.evaluation.experiment.Summary}, and {@link
 * dev.abacus.deploy.evaluation.experiment.ExperimentCommand}.
 */
@NullMarked
package dev.abacus.deploy.evaluation.experiment;

import org.jspecify.annotations.NullMarked;
