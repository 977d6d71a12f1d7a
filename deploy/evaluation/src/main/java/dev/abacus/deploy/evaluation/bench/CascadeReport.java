package dev.abacus.deploy.evaluation.bench;

/**
 * Test results of the classifier of a learned cascade: means over the runs, each with a different
 * training set.
 *
 * @param question question about a message
 * @param classes number of possible answers
 * @param training size of the training set
 * @param test size of the test set
 * @param target required share of correct answers, among those given without a model
 * @param runs number of runs
 * @param withoutClassifier runs in which no threshold reaches the target, so that a model answers
 *     everything; they count as 0 in {@code alone} and are excluded from {@code precision}
 * @param accuracy share of correct answers if the classifier answers everything, over the runs with
 *     a classifier
 * @param alone share of messages answered without a model
 * @param precision share of correct answers among those
 * @param onTarget share of the runs with a classifier whose precision reaches the target
 * @param trainingSeconds seconds to fit the classifier and to find the thresholds
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
