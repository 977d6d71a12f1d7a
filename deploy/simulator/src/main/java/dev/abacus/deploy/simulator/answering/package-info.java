/**
 * How a simulated model answers a prompt. Start at {@link
 * dev.abacus.deploy.simulator.answering.SimulatedModel}. {@code TaskQuestions} turns a task into
 * questions with their ground truth; {@code EvidenceLocator} finds what of it the prompt shows;
 * {@code AnswerGenerator}, {@code Aggregator}, {@code Critic}, {@code Refiner}, {@code GapChecker},
 * {@code Extractor}, {@code Merger} and {@code Judge} produce the answers of each role; {@code
 * ErrorGenerator} produces wrong ones, and {@code AnswerWriter} writes them.
 */
@NullMarked
package dev.abacus.deploy.simulator.answering;

import org.jspecify.annotations.NullMarked;
