/**
 * {@code abacus bench price}: what each lever saves of the price of a document. Reading order:
 * {@link dev.abacus.deploy.evaluation.price.Lever} (how two runs differ; a further lever is a
 * constant there), {@link dev.abacus.deploy.evaluation.price.PricedProgram} (what is run), {@link
 * dev.abacus.deploy.evaluation.price.PriceCommand} (runs it with {@code abacus run}), {@link
 * dev.abacus.deploy.evaluation.price.PriceRow}.
 */
@NullMarked
package dev.abacus.deploy.evaluation.price;

import org.jspecify.annotations.NullMarked;
