package dev.abacus.topology.runtime;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.InstantSource;
import java.util.function.Function;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * What the tasks of a process share. Processors that use one instance share one concurrency limit;
 * {@link #withScheduler} gives a processor a limit of its own.
 *
 * @param program tasks of one program have one share of the permits together
 * @param threads one instance per process
 * @param memory one instance per process
 * @param refused one instance per application
 * @param commits one instance per application
 * @param ownership one instance per application
 * @param clock gives the time of admission
 * @param stores creates a store by name, ordered by the bytes of its keys
 */
@RecordBuilder
public record RuntimeServices(
    FairScheduler scheduler,
    String program,
    StreamThreads threads,
    PendingMemory memory,
    ReceiptLog receipts,
    RuntimeListener listener,
    RefusedRecords refused,
    Commits commits,
    Ownership ownership,
    InstantSource clock,
    Function<String, KeyValueBytesStoreSupplier> stores)
    implements RuntimeServicesBuilder.With {

  /** Virtual threads, at most {@code limit} at a time; no receipts, no listener, stores on disk. */
  public static RuntimeServices of(int limit) {
    return new RuntimeServices(
        FairScheduler.inVirtualThreads(limit),
        "",
        new StreamThreads(),
        PendingMemory.ofProcess(),
        ReceiptLog.NONE,
        RuntimeListener.NONE,
        new RefusedRecords(),
        Commits.immediately(),
        Ownership.ALONE,
        InstantSource.system(),
        Stores::persistentKeyValueStore);
  }
}
