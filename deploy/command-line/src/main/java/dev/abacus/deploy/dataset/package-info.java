/**
 * Public data sets as programs that can be run: {@link dev.abacus.deploy.dataset.Banking77} and
 * {@link dev.abacus.deploy.dataset.Cuad} read a data set's folder and make a {@link
 * dev.abacus.deploy.dataset.Dataset}, which writes documents, validation examples, the simulated
 * endpoint's answers and a program. The data itself is not part of the product.
 */
@NullMarked
package dev.abacus.deploy.dataset;

import org.jspecify.annotations.NullMarked;
