/**
 * What samples cost before they are drawn ({@link dev.abacus.optimizer.loop.budget.CostForecast}),
 * and what is left of the budget ({@link dev.abacus.optimizer.loop.budget.BudgetMeter}).
 */
@NullMarked
package dev.abacus.optimizer.loop.budget;

import org.jspecify.annotations.NullMarked;
