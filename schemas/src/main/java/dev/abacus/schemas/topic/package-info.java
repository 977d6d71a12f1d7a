/**
 * Where things stand on Kafka and how they are written: {@link dev.abacus.schemas.topic.Topics}
 * names topics, {@link dev.abacus.schemas.topic.Headers} record headers, {@link
 * dev.abacus.schemas.topic.Json} is the form of values; {@link dev.abacus.schemas.topic.TopicSpec}
 * says how topics are set up and {@link dev.abacus.schemas.topic.TopicSetup} creates them.
 */
@NullMarked
package dev.abacus.schemas.topic;

import org.jspecify.annotations.NullMarked;
