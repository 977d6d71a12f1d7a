/**
 * The loops' way to Kafka: one process for all programs.
 *
 * <p>Read {@link dev.abacus.optimizer.exchange.ControlPlane}, which lives as long as the process
 * and connects again after failures; {@link dev.abacus.optimizer.exchange.Session}, one connection:
 * it reads all topics from the beginning, and then acts; {@link
 * dev.abacus.optimizer.exchange.ProgramChannel} for what is particular to one program. {@link
 * dev.abacus.optimizer.exchange.RecordDecoder} and {@link
 * dev.abacus.optimizer.exchange.RecordEncoder} know the forms of records, {@link
 * dev.abacus.optimizer.exchange.SearchTopics} those of topics.
 */
@NullMarked
package dev.abacus.optimizer.exchange;

import org.jspecify.annotations.NullMarked;
