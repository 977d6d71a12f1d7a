/**
 * Protobuf values in Confluent's wire format as JSON.
 *
 * <p>Reading order: {@link dev.abacus.schemas.protobuf.ProtobufValues} reads a value; {@code
 * ProtobufSchema} finds the type of its message in the text of a schema, {@code ProtobufJson}
 * converts the message. The registry is that of {@code schemas.avro}.
 */
@NullMarked
package dev.abacus.schemas.protobuf;

import org.jspecify.annotations.NullMarked;
