/**
 * Benchmarks on one machine. {@link dev.abacus.deploy.evaluation.bench.BenchCommand} is the command
 * {@code abacus bench}. {@link dev.abacus.deploy.evaluation.bench.ThroughputBenchmark} measures
 * documents per second, {@link dev.abacus.deploy.evaluation.bench.GrowthBenchmark} the CPU time of
 * a document, and {@link dev.abacus.deploy.evaluation.bench.SearchBenchmark} the time of a plan
 * search.
 */
@NullMarked
package dev.abacus.deploy.evaluation.bench;

import org.jspecify.annotations.NullMarked;
