package dev.abacus.deploy.job;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Program.Format;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DocumentFormatsTest {

  @Test
  void aRegistryThatIsAwayIsNoMissingSchemaAndNoFaultOfAValue() throws Exception {
    // Nothing listens on the port of discarded bytes.
    Map<String, String> settings =
        Map.of("schema.registry.url", "http://127.0.0.1:9", "max.retries", "0");
    try (DocumentFormats formats = new DocumentFormats(settings)) {
      Document document = Document.parse("{\"id\": \"a\"}");

      assertThatThrownBy(() -> formats.write("t", Format.AVRO, document))
          .isInstanceOf(OperationFailedException.class)
          .hasMessageStartingWith("the schema registry cannot be used: ");
      assertThatThrownBy(() -> formats.read("t", Format.AVRO, new byte[] {0, 0, 0, 0, 1}))
          .isInstanceOf(OperationFailedException.class)
          .hasMessageStartingWith("the schema registry cannot be used: ");
    }
  }
}
