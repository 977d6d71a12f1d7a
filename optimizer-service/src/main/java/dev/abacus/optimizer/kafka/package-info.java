/**
 * Runs the loops and governors of all programs on Kafka, in one thread.
 *
 * <p>Read {@link dev.abacus.optimizer.kafka.ControlPlane}, which lives as long as the process:
 * {@code Leadership} elects one of several control planes, and a {@code Session} is one connection
 * of the leader. A session consists of {@code TopicReader} (consume), {@code RecordFold} (fold
 * records into the state of programs), {@code ProgramLoop} and {@code ProgramGovernor} (decide) and
 * {@code Outbox} (publish in a transaction); {@code ProgramTopics} creates and finds the topics.
 * {@code RecordDecoder} and {@code RecordEncoder} define the form of records, and {@code
 * ControlCheck} refuses control records that do not fit their program. Beside it, {@code
 * BacklogWatch} counts what waits for workers.
 */
@NullMarked
package dev.abacus.optimizer.kafka;

import org.jspecify.annotations.NullMarked;
