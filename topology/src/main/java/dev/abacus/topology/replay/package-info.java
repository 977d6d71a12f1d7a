/**
 * Runs plans on documents that a program has processed before, beside the live documents: the data
 * plane's part of {@code abacus replay}.
 *
 * <p>{@link dev.abacus.topology.replay.DocumentReplay} runs one task with the executor, the models
 * and the references of live documents. {@link dev.abacus.topology.replay.SourceRecords} reads the
 * document from its source again, and {@link dev.abacus.topology.replay.PastReceipts} finds the
 * answers that were paid for when it was processed.
 */
@NullMarked
package dev.abacus.topology.replay;

import org.jspecify.annotations.NullMarked;
