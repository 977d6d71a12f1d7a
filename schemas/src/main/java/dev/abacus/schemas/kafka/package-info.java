/**
 * Where things stand on Kafka and how they are written: {@link dev.abacus.schemas.kafka.Topics}
 * names topics, {@link dev.abacus.schemas.kafka.Headers} record headers, {@link
 * dev.abacus.schemas.kafka.Json} is the form of values; {@link dev.abacus.schemas.kafka.TopicSpec}
 * says how topics are set up and {@link dev.abacus.schemas.kafka.TopicSetup} creates them.
 */
@NullMarked
package dev.abacus.schemas.kafka;

import org.jspecify.annotations.NullMarked;
