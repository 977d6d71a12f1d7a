package dev.abacus.deploy.job;

import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.program.Program.Format;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates the {@link DocumentFormat} of a topic; holds the connection to the schema registry. */
public final class DocumentFormats implements AutoCloseable {

  private final @Nullable AvroValues avro;

  /**
   * @param properties of the Avro serde; {@code schema.registry.url} names the registry, if any
   */
  public DocumentFormats(Map<String, String> properties) {
    this.avro = AvroValues.connect(properties);
  }

  /**
   * Returns the format of a topic.
   *
   * @throws OperationFailedException if the format needs a registry and none is configured
   */
  public DocumentFormat of(String topic, Format format) {
    if (avro == null && format.usesRegistry()) {
      throw new OperationFailedException(
          "the values of %s have their schema in a registry, and none is named".formatted(topic),
          "Name it with --schema-registry.");
    }
    return new DocumentFormat(topic, format, avro);
  }

  @Override
  public void close() {
    if (avro != null) {
      avro.close();
    }
  }
}
