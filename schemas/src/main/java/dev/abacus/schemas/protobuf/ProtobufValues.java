package dev.abacus.schemas.protobuf;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import dev.abacus.schemas.avro.SchemaRegistry;
import dev.abacus.schemas.avro.WireFormat;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Reads Confluent's wire format for Protobuf: byte 0x00, four bytes of schema id, the place of the
 * message type in its file, the message. Thread-safe.
 */
public final class ProtobufValues {

  /** More types inside of one another than any file has. */
  private static final int MOST_INDEXES = 64;

  private final SchemaRegistry registry;
  private final ConcurrentMap<Integer, ProtobufSchema> schemas = new ConcurrentHashMap<>();

  /** Values whose schemas are in a registry, which the caller closes. */
  public ProtobufValues(SchemaRegistry registry) {
    this.registry = registry;
  }

  /**
   * A value as JSON.
   *
   * @throws SerializationException if it cannot be read; {@link
   *     dev.abacus.schemas.avro.AvroValues#mayBeRetried} says whether a retry may succeed
   */
  public ObjectNode toJson(String topic, byte[] value) {
    int id = WireFormat.schemaId(topic, value);
    // Not computeIfAbsent: it would hold a lock during the request to the registry.
    ProtobufSchema known = schemas.get(id);
    ProtobufSchema schema = known == null ? ProtobufSchema.of(registry.textById(id), id) : known;
    schemas.putIfAbsent(id, schema);
    try {
      CodedInputStream in =
          CodedInputStream.newInstance(value, WireFormat.HEADER, value.length - WireFormat.HEADER);
      Descriptor type = schema.message(indexes(in));
      DynamicMessage message = DynamicMessage.parseFrom(type, in);
      in.checkLastTagWas(0);
      return ProtobufJson.of(message);
    } catch (IOException | DateTimeException | ArithmeticException e) {
      throw new SerializationException(
          "Data on topic '%s' does not follow the schema (id %d) that it names: %s"
              .formatted(topic, id, e.getMessage()),
          e);
    }
  }

  /** The places of the type: in the file, in that type, and so on. None means the first type. */
  private static List<Integer> indexes(CodedInputStream in) throws IOException {
    int number = in.readSInt32();
    if (number < 0 || number > MOST_INDEXES) {
      throw new IOException(number + " indexes of message types");
    }
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      indexes.add(in.readSInt32());
    }
    return number == 0 ? List.of(0) : indexes;
  }
}
