/**
 * The loops' way to Kafka: one process for all programs.
 *
 * <p>Read {@link dev.abacus.optimizer.kafka.ControlPlane}, which lives as long as the process and
 * connects again after failures; {@link dev.abacus.optimizer.kafka.Session}, one connection: it
 * reads all topics from the beginning, and then acts; {@link
 * dev.abacus.optimizer.kafka.ProgramChannel} for what is particular to one program. {@link
 * dev.abacus.optimizer.kafka.RecordDecoder} and {@link dev.abacus.optimizer.kafka.RecordEncoder}
 * know the forms of records, {@link dev.abacus.optimizer.kafka.SearchTopics} those of topics.
 */
@NullMarked
package dev.abacus.optimizer.kafka;

import org.jspecify.annotations.NullMarked;
