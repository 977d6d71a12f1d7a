/**
 * Benchmarks of what happens to documents that flow while something else happens: {@link
 * dev.abacus.deploy.flow.SwapCommand} changes plans, {@link dev.abacus.deploy.flow.RecoveryCommand}
 * kills workers and optimizers. Both send numbered documents through a {@link
 * dev.abacus.deploy.flow.DocumentFlow}, which knows of each whether it came out, and how often.
 * {@link dev.abacus.deploy.flow.SwapBenchmark}, {@link dev.abacus.deploy.flow.WorkerRecovery} and
 * {@link dev.abacus.deploy.flow.LeaderRecovery} do the measuring.
 */
@NullMarked
package dev.abacus.deploy.flow;

import org.jspecify.annotations.NullMarked;
