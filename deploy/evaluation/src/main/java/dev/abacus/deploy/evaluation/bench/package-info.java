/**
 * Benchmarks on this machine: {@link dev.abacus.deploy.evaluation.bench.BenchCommand} is the
 * command line's {@code bench}, {@link dev.abacus.deploy.evaluation.bench.ThroughputBenchmark}
 * measures documents per second, {@link dev.abacus.deploy.evaluation.bench.CascadeBenchmark} what a
 * learned cascade answers without a model.
 */
@NullMarked
package dev.abacus.deploy.evaluation.bench;

import org.jspecify.annotations.NullMarked;
