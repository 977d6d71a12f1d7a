package dev.abacus.schemas.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.squareup.wire.schema.ErrorCollector;
import com.squareup.wire.schema.Linker;
import com.squareup.wire.schema.Loader;
import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.ProtoFile;
import com.squareup.wire.schema.Schema;
import com.squareup.wire.schema.internal.SchemaEncoder;
import com.squareup.wire.schema.internal.parser.ProtoParser;
import dev.abacus.schemas.avro.RegistryException;
import dev.abacus.schemas.avro.SchemaText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The message types of a {@code .proto} text. Registries have texts, and Protobuf for Java reads
 * compiled files; Square's Wire, which Confluent's serdes use too, parses and compiles.
 */
final class ProtobufSchema {

  private static final String FILE = "schema-of-the-registry.proto";

  private final FileDescriptor file;

  private ProtobufSchema(FileDescriptor file) {
    this.file = file;
  }

  /**
   * Compiles a schema.
   *
   * @throws RegistryException.Refused if it is no Protobuf, or imports what it does not refer to
   */
  static ProtobufSchema of(SchemaText schema, int id) {
    if (!schema.type().equals("PROTOBUF")) {
      throw new RegistryException.Refused(
          "The schema with the id %d has the type %s; PROTOBUF is expected"
              .formatted(id, schema.type()),
          null);
    }
    try {
      ErrorCollector errors = new ErrorCollector();
      Schema linked =
          new Linker(new Imports(schema.references()), errors, true, true)
              .link(List.of(parsed(FILE, schema.text())));
      errors.throwIfNonEmpty();
      return new ProtobufSchema(new Compilation(linked).compiled(FILE));
    } catch (RuntimeException | IOException | DescriptorValidationException e) {
      throw new RegistryException.Refused(
          "The schema with the id %d is no Protobuf that can be read: %s"
              .formatted(id, e.getMessage()),
          e);
    }
  }

  /**
   * A message type.
   *
   * @param indexes its place in the file, in that type, and so on; not empty
   * @throws IOException if there is none
   */
  Descriptor message(List<Integer> indexes) throws IOException {
    List<Descriptor> types = file.getMessageTypes();
    Descriptor found = null;
    for (int index : indexes) {
      if (index < 0 || index >= types.size()) {
        throw new IOException("it has no message type at " + indexes);
      }
      found = types.get(index);
      types = found.getNestedTypes();
    }
    return Objects.requireNonNull(found, "indexes is not empty");
  }

  private static ProtoFile parsed(String path, String text) {
    return ProtoFile.Companion.get(ProtoParser.Companion.parse(Location.get(path), text));
  }

  /** What a schema imports: its references, and the files that come with Protobuf. */
  private record Imports(Map<String, String> references) implements Loader {

    @Override
    public ProtoFile load(String path) {
      String referred = references.get(path);
      if (referred != null) {
        return parsed(path, referred);
      }
      try (InputStream bundled = Loader.class.getResourceAsStream("/" + path)) {
        if (bundled == null) {
          throw new IllegalStateException("it imports %s without a reference".formatted(path));
        }
        return parsed(path, new String(bundled.readAllBytes(), StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new IllegalStateException(path + " cannot be read: " + e.getMessage(), e);
      }
    }

    @Override
    public Loader withErrors(ErrorCollector errors) {
      return this;
    }
  }

  /** Compiles files, each after those that it imports. */
  private static final class Compilation {

    private final Schema schema;
    private final SchemaEncoder encoder;
    private final Map<String, FileDescriptor> done = new HashMap<>();

    Compilation(Schema schema) {
      this.schema = schema;
      this.encoder = new SchemaEncoder(schema);
    }

    FileDescriptor compiled(String path) throws IOException, DescriptorValidationException {
      FileDescriptor known = done.get(path);
      if (known != null) {
        return known;
      }
      ProtoFile source = Objects.requireNonNull(schema.protoFile(path), path);
      List<FileDescriptor> imported = new ArrayList<>();
      for (String one : source.getImports()) {
        imported.add(compiled(one));
      }
      for (String one : source.getPublicImports()) {
        imported.add(compiled(one));
      }
      FileDescriptorProto proto =
          FileDescriptorProto.parseFrom(encoder.encode(source).toByteArray());
      FileDescriptor file =
          FileDescriptor.buildFrom(proto, imported.toArray(FileDescriptor[]::new), true);
      done.put(path, file);
      return file;
    }
  }
}
