/**
 * Enforces the spending cap of a program over all workers.
 *
 * <p>Read {@link dev.abacus.topology.spending.SpendingLedger} first: workers lease parts of the cap
 * by records on one topic partition, and its fold, which is the same in every worker, grants them.
 * {@link dev.abacus.topology.spending.SpendingAccount} reserves the cost of each call from the
 * leases of this worker and books the cost when the call ends; {@code WindowClock} tells it whether
 * the window is over. {@link dev.abacus.topology.spending.SpendingTopic} connects the accounts with
 * Kafka, and {@link dev.abacus.topology.spending.SpendingMeter} the model calls with an account.
 * {@link dev.abacus.topology.spending.CostEstimates} bounds the cost of a call before it starts.
 */
@NullMarked
package dev.abacus.topology.spending;

import org.jspecify.annotations.NullMarked;
