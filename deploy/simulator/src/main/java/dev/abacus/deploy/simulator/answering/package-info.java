/**
 * How a simulated model reads. Start at {@link
 * dev.abacus.deploy.simulator.answering.SimulatedModel}; {@code QuotedTruth} says what is right,
 * {@code EvidenceLocator} what of it can be seen in the prompt, {@code AnswerGenerator}, {@code
 * Aggregator}, {@code Critic}, {@code Refiner} and {@code Judge} what a model of some skill makes
 * of it, {@code ErrorGenerator} what it says when it is wrong, and {@code AnswerWriter} how it
 * writes that down.
 */
@NullMarked
package dev.abacus.deploy.simulator.answering;

import org.jspecify.annotations.NullMarked;
