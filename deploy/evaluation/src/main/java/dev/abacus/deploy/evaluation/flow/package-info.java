/**
 * Benchmarks under continuous load: {@link dev.abacus.deploy.evaluation.flow.SwapCommand} swaps
 * plans, {@link dev.abacus.deploy.evaluation.flow.RecoveryCommand} kills workers, {@link
 * dev.abacus.deploy.evaluation.flow.LimitsCommand} calls an endpoint that refuses.
 *
 * <p>Start with {@link dev.abacus.deploy.evaluation.load.DocumentFlow}, which sends numbered
 * documents and counts the results of each.
 */
@NullMarked
package dev.abacus.deploy.evaluation.flow;

import org.jspecify.annotations.NullMarked;
