package dev.abacus.schemas.avro;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes Avro record values as JSON trees. It uses {@link AvroDeserializer} and {@link
 * AvroSerializer} unless {@code value.deserializer} and {@code value.serializer} name others with
 * the same wire format.
 */
public final class AvroValues implements AutoCloseable {

  private static final String DESERIALIZER = "value.deserializer";
  private static final String SERIALIZER = "value.serializer";

  private final RegistryOutage outage =
      new RegistryOutage(InstantSource.system(), Duration.ofSeconds(30));
  private final Deserializer<Object> deserializer;
  private final Serializer<Object> serializer;
  private final TopicSchemas schemas;

  private AvroValues(
      Deserializer<Object> deserializer, Serializer<Object> serializer, TopicSchemas schemas) {
    this.deserializer = deserializer;
    this.serializer = serializer;
    this.schemas = schemas;
  }

  /**
   * Values with the serdes of these properties.
   *
   * @return null if {@code schema.registry.url} is not set
   * @throws ConfigException if a property is wrong
   */
  public static @Nullable AvroValues connect(Map<String, ?> properties) {
    if (properties.get(AvroSerdeConfig.SCHEMA_REGISTRY_URL) == null) {
      return null;
    }
    Map<String, Object> settings = new HashMap<>(properties);
    Deserializer<Object> deserializer =
        instance(settings.remove(DESERIALIZER), Deserializer.class, new AvroDeserializer<>());
    Serializer<Object> serializer =
        instance(settings.remove(SERIALIZER), Serializer.class, new AvroSerializer<>());
    deserializer.configure(settings, false);
    serializer.configure(settings, false);
    AvroSerdeConfig config = new AvroSerdeConfig(settings);
    return new AvroValues(
        deserializer,
        serializer,
        new TopicSchemas(SchemaRegistry.connect(config), config, InstantSource.system()));
  }

  /**
   * A value as JSON.
   *
   * @throws SerializationException if it cannot be read; {@link #mayBeRetried} says whether a retry
   *     may succeed
   */
  public JsonNode toJson(String topic, byte[] value) {
    try {
      Object datum = deserializer.deserialize(topic, value);
      if (datum instanceof IndexedRecord record) {
        return AvroJson.toJson(record);
      }
      return AvroJson.toJson(datum, DatumSchemas.of(topic, Objects.requireNonNull(datum)));
    } catch (StackOverflowError e) {
      // A schema that contains itself allows any depth.
      throw new SerializationException("the value on topic '" + topic + "' is nested too deeply");
    }
  }

  /**
   * A JSON value as Avro, its schema registered for the topic.
   *
   * @throws SerializationException if the registry refuses the schema or cannot be reached
   * @throws AvroJsonException if the value does not fit the schema
   */
  public byte[] toAvro(String topic, JsonNode json, Schema schema) {
    byte[] value = serializer.serialize(topic, AvroJson.toAvro(json, schema));
    return Objects.requireNonNull(value, "the serializer gave nothing");
  }

  /**
   * The schema to use instead of one that the registry refused: the newest of the same subject, if
   * it has all fields.
   *
   * @return null if the failure is another one or if the newest schema lacks a field
   */
  public @Nullable Schema substitute(String topic, Schema refused, SerializationException failure) {
    boolean incompatible =
        causes(failure).anyMatch(RegistryException.Incompatible.class::isInstance);
    Schema newest = incompatible ? schemas.newest(topic, refused) : null;
    return newest != null
            && newest.getType() == Schema.Type.RECORD
            && refused.getFields().stream().allMatch(field -> newest.getField(field.name()) != null)
        ? newest
        : null;
  }

  /** The schemas that the registry has for the values of topics. */
  public TopicSchemas schemas() {
    return schemas;
  }

  /** The registry, which is closed with this. */
  public SchemaRegistry registry() {
    return schemas.registry();
  }

  /** Lets calls wait while the registry cannot be reached. */
  public RegistryOutage outage() {
    return outage;
  }

  /**
   * Whether the registry could not be reached, so that a retry may succeed. A malformed value and
   * an unknown schema fail again. Serdes of others report an unreachable registry by an exception
   * of the network as the cause; decoders throw other {@link IOException}s for malformed values.
   */
  public static boolean mayBeRetried(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RegistryException registry) {
        return registry.retriable();
      }
      if (cause instanceof SocketException
          || cause instanceof UnknownHostException
          || cause instanceof UnresolvedAddressException
          || cause instanceof ClosedChannelException
          || cause instanceof SSLException
          || cause instanceof SocketTimeoutException
          || cause instanceof HttpTimeoutException) {
        return true;
      }
    }
    return false;
  }

  /** Whether the registry does not have the schema that a value names. */
  public static boolean isUnknownSchema(Throwable failure) {
    return causes(failure).anyMatch(RegistryException.NotFound.class::isInstance);
  }

  /** A failure and what caused it. */
  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
  }

  @Override
  public void close() {
    deserializer.close();
    serializer.close();
    schemas.close();
  }

  @SuppressWarnings("unchecked") // the type of a serde is not known here
  private static <T> T instance(@Nullable Object className, Class<?> type, T otherwise) {
    if (className == null) {
      return otherwise;
    }
    try {
      return (T) Utils.newInstance(className.toString(), type);
    } catch (ClassNotFoundException e) {
      throw new ConfigException("class " + className + " is not on the class path");
    }
  }
}
