package dev.abacus.deploy.evaluation.bench;

/**
 * What a search took.
 *
 * @param workload what was searched
 * @param estimates the family of estimates
 * @param firstMillis of the first search of this kind; the very first of a report is that of a
 *     process that has just started
 * @param medianMillis wall-clock milliseconds of the repetitions after the first
 * @param worstMillis of those
 * @param medianCpuMillis processor time of the searching thread; less than the wall clock's where
 *     other processes take the processors away
 * @param epsilon how far from the best the chosen plan may be, as a share; the worst of all
 * @param frontierEpsilon how far the reported frontier may fall short; the worst of all
 * @param frontier plans on the frontier, median
 * @param feasible whether all repetitions met the bounds
 * @param heapMegabytes most heap in use after a search
 */
public record SearchReport(
    String workload,
    String estimates,
    double firstMillis,
    double medianMillis,
    double worstMillis,
    double medianCpuMillis,
    double epsilon,
    double frontierEpsilon,
    int frontier,
    boolean feasible,
    long heapMegabytes) {}
