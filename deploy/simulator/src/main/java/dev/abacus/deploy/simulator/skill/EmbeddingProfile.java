package dev.abacus.deploy.simulator.skill;

/**
 * An embedding model.
 *
 * @param name as the client writes it
 * @param dimensions length of its vectors
 * @param inputTokens longest input, in tokens
 * @param secondsPerCall latency of a call, seconds
 * @param secondsPerThousandTokens added latency per thousand tokens of all inputs
 */
public record EmbeddingProfile(
    String name,
    int dimensions,
    int inputTokens,
    double secondsPerCall,
    double secondsPerThousandTokens) {}
