package dev.abacus.optimizer.search.cost;

/**
 * An implementation that a search may choose, identified by its id.
 *
 * @param id unique within its operator; the order of ids breaks ties
 */
public record Candidate(String id, OperatorEstimate estimate) {}
