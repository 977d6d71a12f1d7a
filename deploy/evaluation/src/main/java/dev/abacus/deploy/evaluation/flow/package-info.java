/**
 * Benchmarks of what happens to documents that flow while something else happens: {@link
 * dev.abacus.deploy.evaluation.flow.SwapCommand} changes plans, {@link
 * dev.abacus.deploy.evaluation.flow.RecoveryCommand} kills workers and optimizers. Both send
 * numbered documents through a {@link dev.abacus.deploy.evaluation.flow.DocumentFlow}, which knows
 * of each whether it came out, and how often. {@link
 * dev.abacus.deploy.evaluation.flow.SwapBenchmark}, {@link
 * dev.abacus.deploy.evaluation.flow.WorkerRecovery} and {@link
 * dev.abacus.deploy.evaluation.flow.LeaderRecovery} do the measuring.
 */
@NullMarked
package dev.abacus.deploy.evaluation.flow;

import org.jspecify.annotations.NullMarked;
