package dev.abacus.topology.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.model.WaitListener;
import java.io.EOFException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;

class DocumentCodecTest {

  private static final Schema SCHEMA =
      SchemaBuilder.record("Text").fields().requiredString("text").endRecord();

  /** The first byte of a value is the number of attempts that find no registry. */
  public static final class UnreliableDeserializer implements Deserializer<Object> {

    private final AtomicInteger attempts = new AtomicInteger();

    @Override
    public Object deserialize(String topic, byte[] value) {
      if (value.length == 0) {
        throw new SerializationException("malformed", new EOFException());
      }
      if (attempts.getAndIncrement() < value[0]) {
        throw new SerializationException("no registry", new ConnectException("refused"));
      }
      return new GenericRecordBuilder(SCHEMA).set("text", "hello").build();
    }
  }

  private final AvroValues avro =
      Objects.requireNonNull(
          AvroValues.connect(
              Map.of(
                  "schema.registry.url",
                  "mock://" + getClass().getName(),
                  "value.deserializer",
                  UnreliableDeserializer.class.getName())));

  private DocumentCodec codec() throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: p
                sources: { docs: { topic: docs, format: avro } }
                operators: [{ filter: good, condition: It is good. }]
                results: { topic: out }
                """);
    return new DocumentCodec(program, program.sources().getFirst(), avro);
  }

  @Test
  void aRecordWhoseValueIsAFileIsADocument() throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: p
                sources: { docs: { topic: docs, format: file, key: name } }
                operators: [{ filter: good, condition: It is good. }]
                results: { topic: out }
                """);
    DocumentCodec files = new DocumentCodec(program, program.sources().getFirst(), null);
    assertThat(files.read("a.txt".getBytes(UTF_8), "Good day.".getBytes(UTF_8)))
        .hasToString("{\"name\":\"a.txt\",\"content\":\"Good day.\"}");
    assertThatThrownBy(() -> files.read(null, "%PDF-1.7 of nothing".getBytes(UTF_8)))
        .isInstanceOf(InvalidDocumentException.class)
        .hasMessageContaining("the PDF cannot be read");
  }

  @Test
  void aDocumentWaitsForTheRegistryWithoutItsPlaceAmongTheConcurrentOnes() throws Exception {
    List<String> heard = new ArrayList<>();
    WaitListener listener =
        new WaitListener() {
          @Override
          public void waiting() {
            heard.add("waiting for " + Objects.requireNonNull(avro.outage().state()).message());
          }

          @Override
          public void resumed() {
            heard.add("resumed");
          }
        };
    DocumentCodec codec = codec();

    String text =
        ScopedValue.where(WaitListener.CURRENT, listener)
            .call(() -> codec.read(null, new byte[] {2}).toString());

    assertThat(text).isEqualTo("{\"text\":\"hello\"}");
    assertThat(heard).containsExactly("waiting for no registry", "resumed");
    assertThat(avro.outage().state()).isNull();
  }

  @Test
  void aMalformedDocumentIsRefusedAtOnce() throws Exception {
    DocumentCodec codec = codec();

    assertThatThrownBy(() -> codec.read(null, new byte[0]))
        .isInstanceOf(InvalidDocumentException.class)
        .hasMessageContaining("malformed");
    assertThat(avro.outage().state()).isNull();
  }
}
