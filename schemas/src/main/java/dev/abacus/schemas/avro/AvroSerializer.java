package dev.abacus.schemas.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Writes Avro records (generic and generated) and primitive values in Confluent's wire format;
 * {@code null} stays {@code null}, a tombstone. May be used by several threads once configured.
 *
 * <p>Writers are kept per schema, so a topic may carry several. A schema object should be reused
 * from record to record: equal ones work, but comparing them costs.
 *
 * @param <T> what the caller writes; any type is accepted that carries an Avro schema or is an Avro
 *     primitive
 */
public final class AvroSerializer<T> implements Serializer<T> {

  private record Settings(
      TopicSchemas schemas, AvroSerdeConfig config, SubjectNaming naming, boolean key) {}

  private record WriterKey(Schema schema, Class<?> type) {}

  private record Prepared(Schema registrable, DatumWriter<Object> writer) {}

  private record Target(Schema from, Schema to) {}

  private final ConcurrentMap<WriterKey, Prepared> writers = new ConcurrentHashMap<>();
  private final ConcurrentMap<Target, SchemaTranslation> translations = new ConcurrentHashMap<>();
  private @Nullable Settings settings;

  /**
   * {@inheritDoc}
   *
   * @throws org.apache.kafka.common.config.ConfigException if a property of {@link AvroSerdeConfig}
   *     is invalid
   */
  @Override
  public void configure(Map<String, ?> properties, boolean key) {
    AvroSerdeConfig config = new AvroSerdeConfig(properties);
    TopicSchemas schemas =
        new TopicSchemas(SchemaRegistry.connect(config), config, InstantSource.system());
    settings = new Settings(schemas, config, config.subjectNaming(key), key);
  }

  /**
   * {@inheritDoc}
   *
   * @throws RegistryException if the schema cannot be registered or found
   * @throws SerializationException if the value does not fit its schema
   */
  @Override
  public byte @Nullable [] serialize(String topic, @Nullable T data) {
    if (data == null) {
      return null;
    }
    Settings configured = Objects.requireNonNull(settings, "configure() was not called");
    Schema schema = DatumSchemas.of(topic, data);
    Prepared prepared =
        writers.computeIfAbsent(new WriterKey(schema, data.getClass()), AvroSerializer::prepare);
    String subject = configured.naming.subject(topic, configured.key, schema);
    SchemaRegistry registry = configured.schemas.registry();
    if (configured.config.getBoolean(AvroSerdeConfig.AUTO_REGISTER_SCHEMAS)) {
      return frame(topic, registry.register(subject, prepared.registrable), data, prepared);
    }
    if (configured.config.getBoolean(AvroSerdeConfig.USE_LATEST_VERSION)) {
      RegisteredSchema newest = configured.schemas.newestOf(subject);
      return underLatest(
          topic, configured, newest == null ? registry.latest(subject) : newest, data, prepared);
    }
    return frame(topic, registry.idOf(subject, prepared.registrable), data, prepared);
  }

  @Override
  public void close() {
    if (settings != null) {
      settings.schemas.close();
    }
  }

  private byte[] underLatest(
      String topic, Settings configured, RegisteredSchema latest, T data, Prepared prepared) {
    if (latest.schema().equals(prepared.registrable)) {
      return frame(topic, latest.id(), data, prepared);
    }
    SchemaTranslation translation =
        translations.computeIfAbsent(
            new Target(prepared.registrable, latest.schema()),
            target ->
                SchemaTranslation.between(
                    target.from,
                    latest,
                    configured.config.getBoolean(AvroSerdeConfig.LATEST_COMPATIBILITY_STRICT)));
    byte[] own = body(topic, data, prepared, new ByteArrayOutputStream());
    ByteArrayOutputStream out = new ByteArrayOutputStream(own.length + WireFormat.HEADER);
    WireFormat.writeHeader(out, latest.id());
    out.writeBytes(translation.translate(topic, own));
    return out.toByteArray();
  }

  private byte[] frame(String topic, int id, T data, Prepared prepared) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    WireFormat.writeHeader(out, id);
    return body(topic, data, prepared, out);
  }

  private byte[] body(String topic, T data, Prepared prepared, ByteArrayOutputStream out) {
    // Confluent frames top-level bytes as they are, without Avro's length before them.
    if (data instanceof byte[] bytes) {
      out.writeBytes(bytes);
      return out.toByteArray();
    }
    if (data instanceof ByteBuffer buffer) {
      out.writeBytes(Utils.toArray(buffer));
      return out.toByteArray();
    }
    try {
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
      prepared.writer.write(data, encoder);
      encoder.flush();
      return out.toByteArray();
    } catch (IOException | RuntimeException e) {
      throw new SerializationException(
          "A value for topic '%s' does not fit its schema %s: %s"
              .formatted(topic, prepared.registrable.getFullName(), e.getMessage()),
          e);
    }
  }

  private static Prepared prepare(WriterKey key) {
    DatumWriter<Object> writer =
        SpecificRecord.class.isAssignableFrom(key.type)
            ? new SpecificDatumWriter<>(key.schema, SpecificData.getForClass(key.type))
            : new GenericDatumWriter<>(key.schema, GenericModel.LOGICAL);
    return new Prepared(DatumSchemas.registrable(key.schema), writer);
  }
}
