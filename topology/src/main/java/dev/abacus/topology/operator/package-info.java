/**
 * How an operator runs on one document, and what comes of it.
 *
 * <p>Reading order:
 *
 * <ol>
 *   <li>This package: an {@link dev.abacus.topology.operator.OperatorExecutor} runs an operator on
 *       a document and returns an {@link dev.abacus.topology.operator.OperatorOutcome}, with its
 *       {@link dev.abacus.topology.model.ExecutionStats}.
 *   <li>{@code prompt}: prompts, and how answers are parsed and checked.
 *   <li>{@code join}: joins and top-k, and the view that they have of references.
 *   <li>{@code rank}: techniques that order the items of a list.
 *   <li>{@code technique}: the other techniques, and {@code OperatorRuntime}, which runs all of
 *       them.
 * </ol>
 */
@NullMarked
package dev.abacus.topology.operator;

import org.jspecify.annotations.NullMarked;
