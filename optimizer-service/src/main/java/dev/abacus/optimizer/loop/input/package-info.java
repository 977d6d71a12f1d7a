/**
 * The input of every operator on every validation example.
 *
 * <p>Reading order: {@link dev.abacus.optimizer.loop.input.OperatorInput}, then {@link
 * dev.abacus.optimizer.loop.input.OperatorInputs}; {@link
 * dev.abacus.optimizer.loop.input.GroupInputs} for aggregates and {@link
 * dev.abacus.optimizer.loop.input.PairInputs} for joins of streams.
 */
@NullMarked
package dev.abacus.optimizer.loop.input;

import org.jspecify.annotations.NullMarked;
