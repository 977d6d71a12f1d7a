package dev.abacus.optimizer.loop.state;

/**
 * What the optimizer notes beside a sample task, in a record header, so as to find its way when the
 * topics are read again. The data plane has no use for it.
 *
 * @param sequence running number of the task within the program
 * @param wave tasks issued together bear the same number; the next wave is issued when all of this
 *     one are in
 * @param round the {@code reoptimize} token in force, whose budget it is charged to; empty before
 *     the first token
 * @param chargedTo id of the operator for whose sake it was drawn: its own, or one downstream that
 *     needed its output as input
 * @param definition fingerprint of what was measured: the operator, its metrics and the judge
 * @param evidence fingerprint of what it was measured on: the example's document and label
 * @param alongPlan whether its input came of the steps of a plan that is run end to end; such a
 *     sample tells of the plan, not of its implementation
 */
public record SampleStamp(
    long sequence,
    long wave,
    String round,
    String chargedTo,
    String definition,
    String evidence,
    boolean alongPlan) {}
