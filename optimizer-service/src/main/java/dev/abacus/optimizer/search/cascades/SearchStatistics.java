package dev.abacus.optimizer.search.cascades;

/**
 * What a search took, and how exact it is.
 *
 * @param groups in the memo
 * @param expressions logical ones, in all groups
 * @param rules how often a rule was applied to an expression, fired or not
 * @param subplans that the largest group kept
 * @param epsilon how far from the best feasible plan the chosen one may be, at most: by this share
 *     of its own value in the target. 0 if it is the best
 * @param frontierEpsilon how far the frontier may fall short of the true one: every plan has one on
 *     it that is no more than this share worse in each dimension. 0 if it is exact
 * @param allOrders whether every order of operators was considered that may be better for some
 *     choice of implementations; if not, {@code epsilon} is about the orders that were
 * @param millis wall-clock milliseconds
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
