/**
 * What documents would cost before they are run. {@link dev.abacus.deploy.price.TokenForecast}
 * counts the tokens of a program's own prompts over the documents; {@link
 * dev.abacus.deploy.price.NaivePrices} turns them into estimates by the catalogue's prices, where
 * nothing better is known; {@link dev.abacus.deploy.price.PricedPlans} prices plans that are known
 * or searched for.
 */
@NullMarked
package dev.abacus.deploy.price;

import org.jspecify.annotations.NullMarked;
