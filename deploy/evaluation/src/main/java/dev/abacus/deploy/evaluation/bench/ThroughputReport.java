package dev.abacus.deploy.evaluation.bench;

/**
 * What was measured.
 *
 * @param documentsPerSecond in the steady state: between the first and the last tenth of the
 *     results
 * @param idealDocumentsPerSecond in flight ÷ latency
 * @param ratioToIdeal the first divided by the second
 * @param synchronousDocumentsPerSecond of a processor that waits for each call; 0 if left out
 * @param ratioToSynchronous how many times faster the asynchronous one is; 0 if left out
 * @param documents results and dead letters counted, read committed
 * @param deadLetters of them, documents that the model gave no valid answer for
 * @param seconds from the first to the last result
 * @param duplicates results beyond one per document
 * @param simulated true: the model calls only wait
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
