/**
 * The paper's evaluation (section 5) again, on simulated models over real documents: {@code abacus
 * experiment paper}.
 *
 * <p>Everything of the product takes part but Kafka: {@link dev.abacus.deploy.paper.OfflineSearch}
 * feeds an optimizer loop from the data plane's own operators, and {@link
 * dev.abacus.deploy.paper.PlanScore} runs the plan that it found over documents that it has not
 * seen. {@link dev.abacus.deploy.paper.PaperExperiments} says which searches make which table, and
 * {@link dev.abacus.deploy.paper.PaperReport} writes them down beside the paper's figures.
 */
@NullMarked
package dev.abacus.deploy.paper;

import org.jspecify.annotations.NullMarked;
