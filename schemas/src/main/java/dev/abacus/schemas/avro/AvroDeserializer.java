package dev.abacus.schemas.avro;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads Confluent's wire format into {@link org.apache.avro.generic.GenericRecord}s of the schema
 * that the data was written with. {@code null} stays {@code null}. May be used by several threads
 * once configured.
 *
 * <p>Strings are {@link String}, maps keep their order, logical types are {@code BigDecimal},
 * {@code java.time} and {@code UUID}. No class is loaded by its name in a schema.
 *
 * @param <T> what the caller expects to read; not checked
 */
public final class AvroDeserializer<T> implements Deserializer<T> {

  private record Reader(Schema schema, DatumReader<Object> datumReader) {}

  private final ConcurrentMap<Integer, Reader> readers = new ConcurrentHashMap<>();
  private @Nullable SchemaRegistry registry;

  /**
   * {@inheritDoc}
   *
   * @throws org.apache.kafka.common.config.ConfigException if a property of {@link AvroSerdeConfig}
   *     is invalid
   */
  @Override
  public void configure(Map<String, ?> properties, boolean key) {
    registry = SchemaRegistry.connect(new AvroSerdeConfig(properties));
  }

  /**
   * {@inheritDoc}
   *
   * @throws RegistryException if the registry does not return the schema
   * @throws SerializationException if the data is not framed, or does not follow its schema
   */
  @Override
  @SuppressWarnings({
    "NullAway",
    "unchecked"
  }) // Kafka's interface is unannotated; T is the caller's claim
  public @Nullable T deserialize(String topic, byte @Nullable [] data) {
    if (data == null) {
      return null;
    }
    SchemaRegistry configured = Objects.requireNonNull(registry, "configure() was not called");
    int id = WireFormat.schemaId(topic, data);
    Reader known = readers.get(id);
    // Not computeIfAbsent: it would hold a lock during the request to the registry.
    Reader reader = known == null ? reader(configured, id) : known;
    readers.putIfAbsent(id, reader);
    if (reader.schema.getType() == Schema.Type.BYTES) {
      return (T) Arrays.copyOfRange(data, WireFormat.HEADER, data.length);
    }
    try {
      int length = data.length - WireFormat.HEADER;
      return (T)
          reader.datumReader.read(
              null, DecoderFactory.get().binaryDecoder(data, WireFormat.HEADER, length, null));
    } catch (IOException | RuntimeException e) {
      throw new SerializationException(
          "Data on topic '%s' does not follow the schema %s (id %d) that it names: %s"
              .formatted(topic, reader.schema.getFullName(), id, e),
          e);
    }
  }

  @Override
  public void close() {
    if (registry != null) {
      registry.close();
    }
  }

  private static Reader reader(SchemaRegistry registry, int id) {
    Schema schema = registry.schemaById(id);
    return new Reader(schema, GenericModel.LOGICAL.reader(schema, schema));
  }
}
