/**
 * Pareto-Cascades: the best plans for a program, given what is known of its operators (paper,
 * section 3.2). Start at {@link dev.abacus.optimizer.search.cascades.PlanSearch} with {@link
 * dev.abacus.optimizer.search.cascades.SearchOptions} and {@link
 * dev.abacus.optimizer.search.cascades.SearchResult}. Behind it, {@link
 * dev.abacus.optimizer.search.cascades.NamedPlanSearch} needs names of implementations only; {@code
 * CascadesSearch} is the loop over the task stack, and {@code OptimizeGroup}, {@code
 * OptimizeLogicalExpression}, {@code ApplyRule}, {@code OptimizePhysicalExpression} are the tasks.
 * {@code SearchProblem} is what is searched, and {@code OrderSpace} says which orders of operators
 * are worth while. {@code ParetoGroupFrontier} is what makes Cascades Pareto-Cascades; {@code
 * BoundPruning} drops partial plans that cannot meet the bounds any more. Where frontiers are too
 * large, {@code BestPlanSearch} finds the best plan with a {@code LagrangianRelaxation}.
 */
@NullMarked
package dev.abacus.optimizer.search.cascades;

import org.jspecify.annotations.NullMarked;
