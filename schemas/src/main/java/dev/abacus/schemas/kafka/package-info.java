/**
 * Topics and records on Kafka. Read {@link dev.abacus.schemas.kafka.KafkaNames} and {@link
 * dev.abacus.schemas.kafka.Headers} for names, {@link dev.abacus.schemas.kafka.Json} for the form
 * of values, {@link dev.abacus.schemas.kafka.TopicSpec} for topic configurations and {@link
 * dev.abacus.schemas.kafka.TopicSetup}, which creates topics. A {@link
 * dev.abacus.schemas.kafka.ProcessConfig} has the settings of a process. {@link
 * dev.abacus.schemas.kafka.Draw} chooses documents by a hash; {@link
 * dev.abacus.schemas.kafka.RecordPosition} names them. A {@link
 * dev.abacus.schemas.kafka.BinaryLayout} writes and reads values that are not JSON, with {@link
 * dev.abacus.schemas.kafka.BinaryFields}.
 */
@NullMarked
package dev.abacus.schemas.kafka;

import org.jspecify.annotations.NullMarked;
