package dev.abacus.optimizer.search.cascades;

/**
 * The effort of a search and the guarantees of its result.
 *
 * @param groups number of groups in the memo
 * @param expressions number of logical expressions in all groups, one per operator on top that is
 *     worth trying
 * @param rules number of applications of a rule to an expression
 * @param subplans number of subplans in the largest group
 * @param epsilon largest possible relative distance of the chosen plan from the best feasible plan
 *     in the target; 0 if it is the best
 * @param frontierEpsilon largest relative distance of the frontier from the true one: for every
 *     plan, a plan of the frontier is at most this much worse in each dimension; 0 if the frontier
 *     is exact
 * @param allOrders whether the search covered every order of operators that may be better for some
 *     choice of implementations; otherwise {@code epsilon} refers to the covered orders. False for
 *     branches that are not nested: they run as written, and the search counts the sum of their
 *     latencies
 * @param millis wall-clock time in milliseconds
 */
public record SearchStatistics(
    int groups,
    int expressions,
    int rules,
    int subplans,
    double epsilon,
    double frontierEpsilon,
    boolean allOrders,
    double millis) {}
