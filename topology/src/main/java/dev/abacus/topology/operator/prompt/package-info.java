/**
 * Prompts, and how answers are parsed and checked.
 *
 * <p>Reading order: a {@link dev.abacus.topology.operator.prompt.Prompt} is a system message, a
 * user message and the {@link dev.abacus.topology.operator.prompt.AnswerFormat} of the answer.
 * {@link dev.abacus.topology.operator.prompt.OperatorPrompt} makes the prompt of a map or a filter,
 * the same for all techniques; {@link dev.abacus.topology.operator.prompt.DocumentMessage} renders
 * the document. {@link dev.abacus.topology.operator.prompt.StructuredCall} sends a prompt, mends
 * and checks the answer ({@code AnswerMender}, {@link dev.abacus.schemas.program.FieldCheck}) and,
 * if it is malformed, asks again. An {@link dev.abacus.topology.operator.prompt.Execution} makes
 * all calls of a technique and adds up what they take.
 *
 * <h2>Layout of prompts</h2>
 *
 * <p>System message: prose, then sections, each tag alone on its line: {@code <instruction>} for a
 * map or {@code <condition>} for a filter, then for a map {@code <fields>} with lines {@code - name
 * (type): description}; then, if the technique shows some, {@code <example n="…">} with a {@code
 * <document>} and its {@code <answer>}. User message: {@code <document>}, one {@code <field
 * name="…">} per field read, text as it is and other values as JSON, {@code </document>}; then the
 * sections of this call, if any: {@code <proposal n="…">}, {@code <part n="…">}, {@code <draft>},
 * {@code <critique>}, {@code <missing>}, {@code <condition>} (conditions asked one by one), {@code
 * <output>} (for the judge); {@code <step>}, the task to do with them; and {@code <repair>}. In a
 * batch each document is in an {@code <item id="…">}. Inside a section, tags of sections are
 * escaped ({@link dev.abacus.topology.operator.prompt.PromptMarkup}), so that text cannot leave its
 * section. {@link dev.abacus.topology.operator.prompt.Prompt} gives the reason for this order.
 */
@NullMarked
package dev.abacus.topology.operator.prompt;

import org.jspecify.annotations.NullMarked;
