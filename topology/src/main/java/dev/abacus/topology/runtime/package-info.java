/**
 * The asynchronous, stateful, exactly-once processor. It knows nothing of documents and plans, and
 * of models only that their calls wait and leave receipts; other packages supply a {@link
 * dev.abacus.topology.runtime.Work}.
 *
 * <p>The way of a record:
 *
 * <pre>
 *   stream thread                                       worker (virtual thread)
 *
 *   Record ─► InputRecord                       admit
 *                  │  + epoch, time of admission
 *                  ▼
 *            PendingRecord ─► PendingStore      store
 *                  │
 *                  ▼
 *              WorkItem ─► FairScheduler ─────────────► Work.run(PendingRecord, WorkContext)
 *                                               permit          │
 *                                                               │ checkpoints
 *            CompletionQueue ◄──────────────────────────────────┤
 *                  │                                            ▼
 *                  ▼                                        Completion
 *              KeyOrder                         order
 *                  │  its turn
 *                  ▼
 *   Record ◄─ OutputRecord                      forward, and delete from PendingStore
 * </pre>
 *
 * <p>Exactly once: the stream thread writes store entries, deletions, outputs and source offsets in
 * one transaction. So at each commit a record is either not consumed, or in the store, or
 * forwarded. Workers write nothing that is committed.
 *
 * <p>Reading order:
 *
 * <ol>
 *   <li>{@link dev.abacus.topology.runtime.Work} is the interface to implement, with {@link
 *       dev.abacus.topology.runtime.InputRecord}, {@link
 *       dev.abacus.topology.runtime.PendingRecord}, {@link
 *       dev.abacus.topology.runtime.WorkContext}, {@link dev.abacus.topology.runtime.Completion}
 *       and {@link dev.abacus.topology.runtime.OutputRecord}.
 *   <li>{@link dev.abacus.topology.runtime.AsyncProcessorSupplier} adds it to a topology, with
 *       {@link dev.abacus.topology.runtime.RuntimeSettings} and {@link
 *       dev.abacus.topology.runtime.RuntimeServices}. {@link
 *       dev.abacus.topology.runtime.StreamsSettings} are the Kafka Streams properties that it
 *       needs.
 *   <li>{@code AsyncProcessor} and {@code AsyncTask}: admission, restoration, forwarding and close.
 *       {@link dev.abacus.topology.runtime.FreshProcessor} creates a processor for each opening of
 *       a task.
 *   <li>{@code PendingStore} with {@code PendingEntrySerde}; {@code WorkItem}, {@code
 *       CompletionQueue} and {@code KeyOrder}; {@link dev.abacus.topology.runtime.FairScheduler}
 *       with {@code FairShare}.
 *   <li>{@code Backpressure} with {@link dev.abacus.topology.runtime.StreamThreads}: too many
 *       pending records.
 *   <li>{@link dev.abacus.topology.model.Receipts}, stored in a {@link
 *       dev.abacus.topology.runtime.ReceiptTopic}: a crash does not repeat finished calls. {@code
 *       ReceiptPosition} is from where the next owner of a task reads them.
 *   <li>{@link dev.abacus.topology.runtime.RuntimeListener}: events for status reports.
 * </ol>
 */
@NullMarked
package dev.abacus.topology.runtime;

import org.jspecify.annotations.NullMarked;
