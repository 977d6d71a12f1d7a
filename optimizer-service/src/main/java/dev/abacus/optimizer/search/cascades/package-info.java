/**
 * Pareto-Cascades: the best plans of a program for given estimates (paper, section 3.2).
 *
 * <p>Entry points: {@link dev.abacus.optimizer.search.cascades.PlanSearch} with {@link
 * dev.abacus.optimizer.search.cascades.SearchOptions} and {@link
 * dev.abacus.optimizer.search.cascades.SearchResult}; {@link
 * dev.abacus.optimizer.search.cascades.NamedPlanSearch} for implementations given by id.
 *
 * <p>Reading order:
 *
 * <ol>
 *   <li>{@code SearchProblem}, the input;
 *   <li>{@code CascadesSearch}, which explores the memo and implements its groups;
 *   <li>{@code ParetoGroupFrontier}, the frontier per group that makes Cascades Pareto-Cascades,
 *       with {@code Pruning}, {@code BoundPruning} and {@code FrontierLimit};
 *   <li>{@code ParetoSearch}, the search with these frontiers, and {@code BestPlanSearch}, branch
 *       and bound by a {@code LagrangianRelaxation} with {@code Parts} if frontiers exceed their
 *       limits;
 *   <li>{@code PlanReader} and {@code PlanSelection}, the final plans.
 * </ol>
 */
@NullMarked
package dev.abacus.optimizer.search.cascades;

import org.jspecify.annotations.NullMarked;
