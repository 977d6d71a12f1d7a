/**
 * Runs programs while processes are killed and stopped, providers fail and plans change, and judges
 * what comes out ({@code bench chaos}).
 *
 * <p>Reading order: {@link dev.abacus.deploy.evaluation.chaos.ChaosCommand} runs {@link
 * dev.abacus.deploy.evaluation.chaos.ChaosRun}, which starts a {@code Fleet} of brokers, workers
 * and optimizers in separate JVMs and a {@code ModelServer}, sends {@code ChaosPrograms} their
 * documents through {@code Traffic}, executes the {@code ChaosSchedule} that a seed draws, and
 * gives the recorded history to {@link dev.abacus.deploy.evaluation.chaos.judge.Judge}.
 */
@NullMarked
package dev.abacus.deploy.evaluation.chaos;

import org.jspecify.annotations.NullMarked;
