/**
 * Benchmarks under continuous load: {@link dev.abacus.deploy.evaluation.flow.SwapCommand} swaps
 * plans, {@link dev.abacus.deploy.evaluation.flow.RecoveryCommand} kills workers and optimizers,
 * {@link dev.abacus.deploy.evaluation.flow.ScaleCommand} changes the number of workers.
 *
 * <p>Start with {@link dev.abacus.deploy.evaluation.load.DocumentFlow}, which sends numbered
 * documents and counts the results of each. {@link
 * dev.abacus.deploy.evaluation.flow.SwapBenchmark}, {@link
 * dev.abacus.deploy.evaluation.flow.WorkerRecovery}, {@link
 * dev.abacus.deploy.evaluation.flow.LeaderRecovery} and {@link
 * dev.abacus.deploy.evaluation.flow.ScaleBenchmark} take the measurements.
 */
@NullMarked
package dev.abacus.deploy.evaluation.flow;

import org.jspecify.annotations.NullMarked;
