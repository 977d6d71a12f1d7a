/**
 * Converts public data sets into programs with input files.
 *
 * <p>{@link dev.abacus.deploy.evaluation.dataset.PublicDataset} lists them: {@code Banking77},
 * {@code Biodex}, {@code Cuad}, {@code Enron} and {@code Mmqa} read the folder of a data set into
 * {@link dev.abacus.deploy.evaluation.dataset.LabelledDocument}s. A {@link
 * dev.abacus.deploy.evaluation.dataset.Dataset} writes documents, labels, validation examples,
 * reference items, simulated answers and the program. {@link
 * dev.abacus.deploy.evaluation.dataset.Passages} finds evidence, {@link
 * dev.abacus.deploy.evaluation.dataset.Phrases} writes invented documents such as {@link
 * dev.abacus.deploy.evaluation.dataset.CityMessages}. The product does not include the data.
 */
@NullMarked
package dev.abacus.deploy.evaluation.dataset;

import org.jspecify.annotations.NullMarked;
