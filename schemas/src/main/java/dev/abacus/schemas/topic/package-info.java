/**
 * Where things stand on Kafka: {@link dev.abacus.schemas.topic.Topics} names topics, {@link
 * dev.abacus.schemas.topic.Headers} record headers.
 */
@NullMarked
package dev.abacus.schemas.topic;

import org.jspecify.annotations.NullMarked;
