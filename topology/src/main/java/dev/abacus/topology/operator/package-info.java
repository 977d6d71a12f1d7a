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
 * read, text as it is and other values as JSON, {@code </document>}; after it the sections of this
 * call, as far as there are any: {@code <proposal n="…">}, {@code <part n="…">}, {@code <draft>},
 * {@code <critique>}, {@code <missing>}, {@code <condition>} (asked one by one), {@code <output>}
 * (for the judge); {@code <step>}, which says what is to be done with them; and {@code <repair>}.
 * In a batch each document stands in an {@code <item id="…">}. Whatever stands inside a section has
 * the closing tags of ours escaped as {@code <\/}, so that it cannot leave its section. {@link
 * dev.abacus.topology.operator.Prompt} says why the order is this one.
 */
@NullMarked
package dev.abacus.topology.operator;

import org.jspecify.annotations.NullMarked;
