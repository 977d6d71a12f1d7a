package dev.abacus.topology.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An admitted record, as {@link Work#run} gets it.
 *
 * @param input the record
 * @param epoch what {@link Work#epoch} gave it when it was admitted, before any restart
 * @param admittedAt when that was, to the millisecond
 * @param checkpoint the last state that was handed to {@link WorkContext#checkpoint} and committed;
 *     null if there is none
 * @param restored whether the record was admitted before the task was (re)opened: its work may have
 *     run before, in part or in whole
 */
@SuppressWarnings("ArrayRecordComponent") // identity is meant: two jobs are never compared
public record PendingRecord(
    InputRecord input,
    long epoch,
    Instant admittedAt,
    byte @Nullable [] checkpoint,
    boolean restored) {}
