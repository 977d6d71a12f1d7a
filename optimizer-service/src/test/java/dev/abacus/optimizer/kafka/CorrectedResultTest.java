package dev.abacus.optimizer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.Given;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The labels that follow from a corrected result. */
class CorrectedResultTest {

  private static CorrectedResult corrected(
      Program program, @Nullable String value, @Nullable String source) throws BadRecordException {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("corrections", 0, 4, null, value == null ? null : bytes(value));
    if (source != null) {
      record.headers().add("abacus-source", bytes(source));
    }
    return CorrectedResult.of(record, program, new ValueReader(RecordValues.WITHOUT_REGISTRY));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void assertRefused(
      Program program, @Nullable String value, String source, String reason) {
    assertThatExceptionOfType(BadRecordException.class)
        .isThrownBy(() -> corrected(program, value, source))
        .withMessageContaining(reason);
  }

  @Test
  void aResultLabelsMapsAndKeepsTheDocumentInFilters() throws Exception {
    Program program =
        Given.program(Given.filter("urgent"), Given.map("intent"), Given.map("reply", "intent"));

    CorrectedResult result =
        corrected(program, "{\"text\": \"t\", \"reply\": \"Sorry.\"}", "documents-3@17");

    assertThat(result.exampleId()).isEqualTo("stream:documents-3@17");
    assertThat(result.labels())
        .containsOnlyKeys("urgent", "reply")
        .containsEntry("urgent", BooleanNode.TRUE)
        .hasEntrySatisfying(
            "reply", label -> assertThat(label).hasToString("{\"reply\":\"Sorry.\"}"));
  }

  @Test
  void aRecordWithoutValueDropsTheDocumentInTheOnlyFilter() throws Exception {
    Program one = Given.program(Given.filter("urgent"), Given.map("intent"));
    Program two = Given.program(Given.filter("urgent"), Given.filter("angry"));

    assertThat(corrected(one, null, "documents-0@1").labels())
        .containsOnlyKeys("urgent")
        .containsEntry("urgent", BooleanNode.FALSE);
    assertRefused(two, null, "documents-0@1", "2 filters, not one");
  }

  @Test
  void onlyTheLastWriterOfAFieldIsLabelled() throws Exception {
    Program program = Given.program(Given.map("intent"), Given.map("again", List.of("intent")));

    assertThat(corrected(program, "{\"intent\": \"x\"}", "documents-0@1").labels())
        .containsOnlyKeys("again");
  }

  @Test
  void aDocumentThatIsNotNamedIsRefused() {
    Program program = Given.program(Given.map("intent"));

    assertRefused(program, "{\"intent\": \"x\"}", "elsewhere-0@1", "no source of the program");
    assertRefused(program, "{\"intent\": \"x\"}", "documents", "not TOPIC-PARTITION@OFFSET");
  }

  @Test
  void valuesThatNoModelMayWriteAreRefused() throws Exception {
    Program program =
        program(
            """
              - map: read
                instruction: Read.
                writes:
                  level: { type: integer, minimum: 1, maximum: 5 }
                  tags: { type: list, items: { type: string, enum: [a, b] } }
            """);

    assertThat(corrected(program, "{\"level\": 5, \"tags\": [\"a\"]}", "documents-0@1").labels())
        .containsOnlyKeys("read");
    assertRefused(program, "{\"level\": 6}", "documents-0@1", "level: must be");
    assertRefused(program, "{\"tags\": [\"c\"]}", "documents-0@1", "tags[0]: must be");
    assertRefused(program, "{\"tags\": null}", "documents-0@1", "tags: must not be null");
  }

  @Test
  void resultsOfSeveralDocumentsOrRowsAreRefused() throws Exception {
    Program program =
        program(
            """
              - map: rows
                instruction: List.
                cardinality: many
                writes: { name: { type: string } }
            """);

    assertRefused(program, "{\"name\": \"x\"}", "documents-0@1", "not one per document");
  }

  private static Program program(String operators) throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(
            "program: p\nsources: { documents: { topic: documents } }\noperators:\n"
                + operators
                + "results: { topic: out }\nvalidation: { feedback: corrections }\n");
  }
}
