/**
 * The answer store: identical requests of all programs, documents and restarts on one cluster are
 * one call of a model, within a stated age.
 *
 * <p>Read {@link dev.abacus.topology.answer.AnswerStore} first: the answers in memory, and the
 * calls in flight. {@link dev.abacus.topology.answer.StoredAnswerClient} looks there before it
 * calls. It stands behind the receipts of a document and before everything that costs: an answer
 * from the store needs no admission and no money, and its receipt repeats it after a crash. {@link
 * dev.abacus.topology.answer.AnswerTopic} exchanges the answers with the other workers and keeps
 * them for the next start. Samples do not use the store, so that they measure models.
 */
@NullMarked
package dev.abacus.topology.answer;

import org.jspecify.annotations.NullMarked;
