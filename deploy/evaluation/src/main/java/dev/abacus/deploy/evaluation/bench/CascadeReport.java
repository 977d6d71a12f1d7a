package dev.abacus.deploy.evaluation.bench;

/**
 * What a learned cascade's classifier did on messages that it was not trained on; means over the
 * runs, each with other training messages.
 *
 * @param question what is asked of a message
 * @param training labelled messages that it was trained on
 * @param target share of right answers asked for, among those given alone
 * @param runs that were made
 * @param withoutClassifier runs in which nothing could be shown to reach the target, so that a
 *     model would answer all; they count as 0 in {@code alone}, and not at all in {@code precision}
 * @param accuracy share of right answers if it answers everything; of the runs with a classifier
 * @param alone share of messages that it answers without a model
 * @param precision share of right answers among those
 * @param onTarget share of the runs with a classifier whose precision reached the target
 * @param trainingSeconds to fit and to find the thresholds
 */
public record CascadeReport(
    String question,
    int classes,
    int training,
    int test,
    double target,
    int runs,
    int withoutClassifier,
    double accuracy,
    double alone,
    double precision,
    double onTarget,
    double trainingSeconds) {}
