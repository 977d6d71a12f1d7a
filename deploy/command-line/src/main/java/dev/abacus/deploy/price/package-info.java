/**
 * What documents would cost before they are run. {@link dev.abacus.deploy.price.TokenForecast}
 * counts the tokens of a program's own prompts over the documents; {@link
 * dev.abacus.optimizer.api.ProgramEstimates} multiplies them by the catalogue's prices; {@link
 * dev.abacus.deploy.price.PricedPlans} prices plans that are known or searched for.
 */
@NullMarked
package dev.abacus.deploy.price;

import org.jspecify.annotations.NullMarked;
