/**
 * Public data sets as programs that can be run: {@link
 * dev.abacus.deploy.evaluation.dataset.Banking77}, {@link
 * dev.abacus.deploy.evaluation.dataset.Biodex}, {@link dev.abacus.deploy.evaluation.dataset.Cuad},
 * {@link dev.abacus.deploy.evaluation.dataset.Enron} and {@link
 * dev.abacus.deploy.evaluation.dataset.Mmqa} read a data set's folder into {@link
 * dev.abacus.deploy.evaluation.dataset.LabelledDocument}s and make a {@link
 * dev.abacus.deploy.evaluation.dataset.Dataset}, which writes documents, validation examples, items
 * of references, the simulated endpoint's answers and a program. {@link
 * dev.abacus.deploy.evaluation.dataset.Passages} finds the evidence. The data itself is not part of
 * the product.
 */
@NullMarked
package dev.abacus.deploy.evaluation.dataset;

import org.jspecify.annotations.NullMarked;
