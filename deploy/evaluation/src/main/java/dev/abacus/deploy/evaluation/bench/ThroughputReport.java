package dev.abacus.deploy.evaluation.bench;

/**
 * Results of the throughput benchmark.
 *
 * @param documentsPerSecond documents per second in steady state: between the first and the last
 *     tenth of the results
 * @param wholeDocumentsPerSecond documents per second from the first to the last result
 * @param idealDocumentsPerSecond documents in flight ÷ latency
 * @param ratioToIdeal {@code documentsPerSecond / idealDocumentsPerSecond}
 * @param synchronousDocumentsPerSecond documents per second of the synchronous baseline; 0 if
 *     skipped
 * @param ratioToSynchronous {@code documentsPerSecond / synchronousDocumentsPerSecond}; 0 if
 *     skipped
 * @param documents committed results and dead letters
 * @param deadLetters dead letters among them
 * @param seconds seconds from the first to the last result
 * @param duplicates results beyond one per document
 * @param simulated always true: the model calls are simulated
 */
public record ThroughputReport(
    double documentsPerSecond,
    double wholeDocumentsPerSecond,
    double idealDocumentsPerSecond,
    double ratioToIdeal,
    double synchronousDocumentsPerSecond,
    double ratioToSynchronous,
    long documents,
    long deadLetters,
    double seconds,
    long duplicates,
    boolean simulated) {}
