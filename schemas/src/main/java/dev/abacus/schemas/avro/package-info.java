/**
 * Avro on Kafka in Confluent's wire format, without Confluent's jars (they are not on Maven
 * Central), and the bridge between Avro and JSON.
 *
 * <p>Reading order:
 *
 * <ol>
 *   <li>{@link dev.abacus.schemas.avro.SchemaRegistry}: what the serdes ask of a registry. {@link
 *       dev.abacus.schemas.avro.HttpSchemaRegistry} speaks Confluent's REST API, {@link
 *       dev.abacus.schemas.avro.MockSchemaRegistry} stands behind {@code mock://scope} URLs; {@link
 *       dev.abacus.schemas.avro.Compatibility} says which evolutions a subject allows, and {@link
 *       dev.abacus.schemas.avro.RegistryException} whether asking again may help.
 *   <li>{@link dev.abacus.schemas.avro.AvroSerdeConfig}: every property, under the names of
 *       Confluent's serdes, so that an existing configuration can be pasted in; {@link
 *       dev.abacus.schemas.avro.SubjectNaming} finds the subject.
 *   <li>{@link dev.abacus.schemas.avro.AvroSerializer}, {@link
 *       dev.abacus.schemas.avro.AvroDeserializer}: byte 0x00, four bytes of schema id, Avro binary.
 *   <li>{@link dev.abacus.schemas.avro.TopicSchemas}: the newest schema of a topic, and whether the
 *       registry would accept another.
 *   <li>{@link dev.abacus.schemas.avro.AvroJson}: JSON to Avro generic data under a given schema,
 *       and back.
 * </ol>
 *
 * <p>Below these, {@code GenericModel} configures Avro itself: strings as {@link String}, maps that
 * keep their order, logical types as {@code java.time} and {@code BigDecimal}.
 */
@NullMarked
package dev.abacus.schemas.avro;

import org.jspecify.annotations.NullMarked;
