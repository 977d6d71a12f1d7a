package dev.abacus.deploy.evaluation.flow;

/**
 * How soon another optimizer led when the one that led was killed.
 *
 * @param sessionTimeoutSeconds what the optimizers were told ({@code optimizer.session.timeout.ms})
 * @param secondsToLead from the kill until the other one had read the control topic and written:
 *     refused a bad record that was sent right after the kill
 */
public record LeaderRun(double sessionTimeoutSeconds, double secondsToLead) {}
