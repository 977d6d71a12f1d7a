/**
 * Benchmarks on this machine: {@link dev.abacus.deploy.bench.BenchCommand} is the command line's
 * {@code bench}, {@link dev.abacus.deploy.bench.ThroughputBenchmark} measures documents per second,
 * {@link dev.abacus.deploy.bench.CascadeBenchmark} what a learned cascade answers without a model.
 */
@NullMarked
package dev.abacus.deploy.bench;

import org.jspecify.annotations.NullMarked;
