package dev.abacus.optimizer.kafka;

import org.jspecify.annotations.Nullable;

/**
 * What waits for the workers of a program; counted without a worker too.
 *
 * @param documents that are not admitted, or admitted and not finished; 0 while the program is
 *     paused
 * @param arrivalsPerSecond records that the sources got per second; null before the second count
 * @param requiredInFlight documents that have to be in process at once to keep up: arrivals per
 *     second × seconds per document (Little's law); null if one of them is unknown
 */
public record Backlog(
    long documents, @Nullable Double arrivalsPerSecond, @Nullable Double requiredInFlight) {}
