/**
 * Reproduces the tables of the paper's evaluation (section 4) with simulated models and real
 * documents: {@code abacus experiment paper}.
 *
 * <p>It uses all parts of the product except Kafka. Start with {@link
 * dev.abacus.deploy.evaluation.paper.PaperTable}, which says what searches each table compares.
 * {@link dev.abacus.deploy.evaluation.paper.BenchmarkDataPlane} is the data plane, {@link
 * dev.abacus.deploy.evaluation.paper.OfflineSearch} the control plane. {@link
 * dev.abacus.deploy.evaluation.paper.SearchSetup} configures a search, {@link
 * dev.abacus.deploy.evaluation.paper.SearchTrials} runs it over the documents of a data set for
 * every seed, and {@link dev.abacus.deploy.evaluation.paper.SearchResult} is a row of every table.
 */
@NullMarked
package dev.abacus.deploy.evaluation.paper;

import org.jspecify.annotations.NullMarked;
