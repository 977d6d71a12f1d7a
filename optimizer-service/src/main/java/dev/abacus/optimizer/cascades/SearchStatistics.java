package dev.abacus.optimizer.cascades;

/**
 * What a search took.
 *
 * @param groups in the memo
 * @param expressions logical ones, in all groups
 * @param rules how often a rule was applied to an expression, fired or not
 * @param millis wall-clock milliseconds
 */
public record SearchStatistics(int groups, int expressions, int rules, double millis) {}
