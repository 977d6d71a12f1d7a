package dev.abacus.deploy.evaluation.bench;

/**
 * Measured times of one kind of search.
 *
 * @param workload name of the workload
 * @param estimates family of estimates
 * @param firstMillis wall-clock time of the first search, in milliseconds; the first entry of a
 *     report includes JVM warm-up
 * @param medianMillis median wall-clock time of the later searches, in milliseconds
 * @param worstMillis maximum wall-clock time of the later searches, in milliseconds
 * @param medianCpuMillis median CPU time of the searching thread, in milliseconds
 * @param epsilon largest optimality gap of the chosen plans, as a share
 * @param frontierEpsilon largest gap of the reported frontiers, as a share
 * @param frontier median number of plans on the frontier
 * @param feasible whether every search met the bounds
 * @param heapMegabytes largest heap use after a search
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
