/**
 * How a physical operator runs: one file per technique.
 *
 * <p>Enter at {@link dev.abacus.topology.operator.OperatorRuntime}, which leads from every {@link
 * dev.abacus.schemas.plan.PhysicalOperator} to its {@link
 * dev.abacus.topology.operator.OperatorExecutor}, and from there to an {@link
 * dev.abacus.topology.operator.OperatorOutcome}. A technique decides what to show a model, and how
 * often; what is asked, and how the answer is read, is an {@link
 * dev.abacus.topology.operator.OperatorQuestion}, the same for all techniques. {@link
 * dev.abacus.topology.operator.DocumentMessage} and the {@code *.txt} resources beside it make a
 * {@link dev.abacus.topology.operator.Prompt}; {@link dev.abacus.topology.operator.StructuredCall}
 * asks, checks the answer with {@link dev.abacus.topology.operator.FieldCheck} and, if it will not
 * do, says what was wrong and asks again.
 *
 * <h2>Layout of prompts</h2>
 *
 * <p>System message: prose, then sections, each tag alone on its line: {@code <instruction>} for a
 * map or {@code <condition>} for a filter, then for a map {@code <fields>} with lines {@code - name
 * (type): description}. User message: {@code <document>}, one {@code <field name="…">} per field
 * read, text as it is and other values as JSON, {@code </document>}; after it, if there is one,
 * {@code <output>} (for the judge) and {@code <repair>}. Whatever stands inside a section has the
 * closing tags of ours escaped as {@code <\/}, so that it cannot leave its section. What is the
 * same for all documents comes first, so that endpoints can cache it.
 */
@NullMarked
package dev.abacus.topology.operator;

import org.jspecify.annotations.NullMarked;
