/**
 * What benchmarks with documents share. Start with {@link
 * dev.abacus.deploy.evaluation.load.BenchmarkCommand}, which checks options and prints results;
 * {@link dev.abacus.deploy.evaluation.load.BenchmarkCluster} is the broker with its topics, {@link
 * dev.abacus.deploy.evaluation.load.BenchmarkProgram} the program with its plans, and {@link
 * dev.abacus.deploy.evaluation.load.DocumentFlow} sends documents and counts the results of each.
 */
@NullMarked
package dev.abacus.deploy.evaluation.load;

import org.jspecify.annotations.NullMarked;
