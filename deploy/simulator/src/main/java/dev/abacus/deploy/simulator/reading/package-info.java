/**
 * How a simulated model reads. Start at {@link dev.abacus.deploy.simulator.reading.Reader}; {@code
 * Truths} says what is right, {@code Eyes} what of it can be seen in the prompt, {@code Generator},
 * {@code Aggregator}, {@code Critic}, {@code Refiner} and {@code Judge} what a model of some skill
 * makes of it, {@code Mistakes} what it says when it is wrong, and {@code AnswerWriter} how it
 * writes that down.
 */
@NullMarked
package dev.abacus.deploy.simulator.reading;

import org.jspecify.annotations.NullMarked;
