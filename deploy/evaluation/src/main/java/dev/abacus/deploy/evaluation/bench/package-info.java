/**
 * Benchmarks on one machine. {@link dev.abacus.deploy.evaluation.bench.BenchCommand} is the command
 * {@code abacus bench}. {@code ThroughputCommand} measures documents per second, {@code
 * GrowthCommand} the CPU time of a document, and {@code PlanSearchCommand} the time of a plan
 * search.
 */
@NullMarked
package dev.abacus.deploy.evaluation.bench;

import org.jspecify.annotations.NullMarked;
