/**
 * The paper's evaluation (section 4) again, on simulated models over real documents: {@code abacus
 * experiment paper}.
 *
 * <p>Everything of the product takes part but Kafka. Read {@link
 * dev.abacus.deploy.evaluation.paper.PaperCommand}, then {@link
 * dev.abacus.deploy.evaluation.paper.PaperExperiments}; {@link
 * dev.abacus.deploy.evaluation.paper.PaperBenchmark} for the documents, {@link
 * dev.abacus.deploy.evaluation.paper.BenchmarkDataPlane} for the data plane, {@link
 * dev.abacus.deploy.evaluation.paper.OfflineSearch} for the control plane; {@link
 * dev.abacus.deploy.evaluation.paper.SearchSetup} and {@link
 * dev.abacus.deploy.evaluation.paper.SearchTrials} for what is varied; then one class for each
 * table, {@link dev.abacus.deploy.evaluation.paper.QualityExperiment} first.
 */
@NullMarked
package dev.abacus.deploy.evaluation.paper;

import org.jspecify.annotations.NullMarked;
