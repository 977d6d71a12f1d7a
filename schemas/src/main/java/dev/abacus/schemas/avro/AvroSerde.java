package dev.abacus.schemas.avro;

import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;

/**
 * {@link AvroSerializer} and {@link AvroDeserializer} together, for Kafka Streams.
 *
 * @param <T> the record type: {@link org.apache.avro.generic.GenericRecord}, a generated class, or
 *     a primitive
 */
public final class AvroSerde<T> extends Serdes.WrapperSerde<T> {

  /** For Kafka, which configures the serde next. */
  public AvroSerde() {
    super(new AvroSerializer<>(), new AvroDeserializer<>());
  }

  private AvroSerde(SchemaRegistry registry, Map<String, ?> properties, boolean key) {
    super(
        new AvroSerializer<>(registry, properties, key),
        new AvroDeserializer<>(registry, properties, key));
  }

  /** Ready to use for keys, with a registry that the caller keeps and closes. */
  public static <T> AvroSerde<T> forKeys(SchemaRegistry registry, Map<String, ?> properties) {
    return new AvroSerde<>(registry, properties, true);
  }

  /** Ready to use for values, with a registry that the caller keeps and closes. */
  public static <T> AvroSerde<T> forValues(SchemaRegistry registry, Map<String, ?> properties) {
    return new AvroSerde<>(registry, properties, false);
  }
}
