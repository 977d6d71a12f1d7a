/**
 * Prices documents before a run. {@link dev.abacus.deploy.price.TokenForecasts} counts the tokens
 * of a program's prompts over the documents; {@link dev.abacus.optimizer.api.ProgramEstimates}
 * multiplies them by the catalogue's prices; {@link dev.abacus.deploy.price.PricedPlan} prices
 * known or searched plans.
 */
@NullMarked
package dev.abacus.deploy.price;

import org.jspecify.annotations.NullMarked;
