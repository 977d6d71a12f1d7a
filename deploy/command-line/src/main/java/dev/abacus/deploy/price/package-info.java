/**
 * Prices documents before a run. {@link dev.abacus.deploy.price.TokenForecast} counts the tokens of
 * a program's prompts over the documents; {@link dev.abacus.optimizer.api.ProgramEstimates}
 * multiplies them by the catalogue's prices; {@link dev.abacus.deploy.price.PricedPlans} prices
 * known or searched plans.
 */
@NullMarked
package dev.abacus.deploy.price;

import org.jspecify.annotations.NullMarked;
