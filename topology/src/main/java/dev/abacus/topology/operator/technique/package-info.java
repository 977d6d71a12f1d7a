/**
 * One executor per technique, and {@link dev.abacus.topology.operator.technique.OperatorRuntime},
 * which runs a {@link dev.abacus.schemas.plan.PhysicalOperator} with the executor of its technique.
 *
 * <p>Reading order: {@code OperatorRuntime}; {@code SemanticCall}, the part that techniques for
 * maps and filters share; {@code ModelSelectionExecutor}, the simplest technique; the others.
 *
 * <h2>To add a technique</h2>
 *
 * <ol>
 *   <li>Write its executor here (a join or a search: in {@code operator.join}), with its prompts as
 *       {@code *.txt} resources of the same package.
 *   <li>Add a case to the switch in {@code OperatorRuntime.execute}; without it the module does not
 *       compile.
 *   <li>Add a case to {@code TechniqueCases} of the test harness; without it the harness fails.
 * </ol>
 */
@NullMarked
package dev.abacus.topology.operator.technique;

import org.jspecify.annotations.NullMarked;
