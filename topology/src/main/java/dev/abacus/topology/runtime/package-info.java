/**
 * The asynchronous, stateful, exactly-once processor. It knows nothing of documents, plans or
 * models: the packages that do plug a {@link dev.abacus.topology.runtime.Work} into it.
 *
 * <pre>
 *   stream thread                              virtual threads
 *
 *   process ─► PendingStore.put                 WorkItem ── Work.run
 *           ─► KeyOrder.enter                        ▲    │
 *           ─► FairScheduler ──── permit, epoch ready ─┘    │ checkpoint, completion
 *   punctuate (5 ms) ◄──────────────── CompletionQueue ◄───────┘
 *           ─► KeyOrder: whose turn is it?
 *           ─► forward, PendingStore.remove         (one transaction with the source offsets)
 * </pre>
 *
 * <p>Read in this order: {@link dev.abacus.topology.runtime.Work} is what to implement, with {@link
 * dev.abacus.topology.runtime.InputRecord}, {@link dev.abacus.topology.runtime.PendingRecord},
 * {@link dev.abacus.topology.runtime.WorkContext} and {@link
 * dev.abacus.topology.runtime.Completion} as its vocabulary. {@link
 * dev.abacus.topology.runtime.AsyncProcessorSupplier} puts it into a topology, {@link
 * dev.abacus.topology.runtime.RuntimeSettings} and {@link
 * dev.abacus.topology.runtime.RuntimeServices} parametrize it, {@link
 * dev.abacus.topology.runtime.StreamsSettings} are the Kafka Streams properties that it needs.
 * Inside, {@code AsyncTask} is the heart: admission, drain, restore and close of one task. It uses
 * {@code PendingStore} with {@code PendingRecordSerde}; {@code KeyOrder} for the order of results;
 * {@link dev.abacus.topology.runtime.FairScheduler} with {@code ReadyQueue} for the concurrency
 * budget; {@code WorkItem} and {@code CompletionQueue} for the way out of the stream thread and
 * back; {@code Backpressure} with {@link dev.abacus.topology.runtime.StreamThreads} for the case of
 * too much. {@link dev.abacus.topology.runtime.CallReceipts}, kept in a {@link
 * dev.abacus.topology.runtime.ReceiptTopic}, spare paying twice after a crash. {@link
 * dev.abacus.topology.runtime.RuntimeListener} hears what happens.
 *
 * <p>Why nothing is lost or doubled: entries, removals, outputs and source offsets are written in
 * the same transaction, by the stream thread alone. A record is either before the committed offset
 * and in the store, or before it and forwarded, or behind it. Workers touch nothing that commits.
 */
@NullMarked
package dev.abacus.topology.runtime;

import org.jspecify.annotations.NullMarked;
