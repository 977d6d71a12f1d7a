package dev.abacus.schemas.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.program.io.ProgramWriter;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentTimeTest {

  private static final long RECORDED = Instant.parse("2026-11-24T06:00:00Z").toEpochMilli();

  private final ProgramParser parser = new ProgramParser(ModelCatalogue.builtIn());

  @ParameterizedTest
  @CsvSource({
    "'\"2026-11-24T05:00:00Z\"', 2026-11-24T05:00:00Z",
    "'\"2026-11-24T05:00:00.250+02:00\"', 2026-11-24T03:00:00.250Z",
    "1700000000, 2023-11-14T22:13:20Z",
    "1700000000123, 2023-11-14T22:13:20.123Z",
    "0, 1970-01-01T00:00:00Z",
    "'\"2026-11-25T06:00:00Z\"', 2026-11-25T06:00:00Z",
  })
  void aTimeIsIsoOrANumber(String json, Instant time) throws Exception {
    Document document = Document.parse("{\"sent\":" + json + "}");

    assertThat(new DocumentTime("sent", true).of(document, RECORDED))
        .isEqualTo(time.toEpochMilli());
  }

  @ParameterizedTest
  @CsvSource({
    "'{}', it has no 'sent'",
    "'{\"sent\":null}', it has no 'sent'",
    "'{\"sent\":\"yesterday\"}', is neither a date and time with an offset nor milliseconds: 'sent'"
        + " is 'yesterday'",
    "'{\"sent\":\"2026-11-24T05:00:00\"}', with an offset",
    "'{\"sent\":1.5}', is neither",
    "'{\"sent\":[]}', is neither",
    "'{\"sent\":99999999999999999999}', is neither",
    "'{\"sent\":-1}', is before 1970",
    "'{\"sent\":\"2026-11-25T06:00:01Z\"}', more than a day after the record",
    "'{\"sent\":9223372036854775807}', more than a day after the record",
  })
  void anAbsurdTimeIsRefusedOrReplaced(String json, String problem) throws Exception {
    Document document = Document.parse(json);

    assertThatThrownBy(() -> new DocumentTime("sent", true).of(document, RECORDED))
        .isInstanceOf(InvalidDocumentException.class)
        .hasMessageContaining(problem);
    assertThat(new DocumentTime("sent", false).of(document, RECORDED)).isEqualTo(RECORDED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sent",
        "{ field: sent }",
        "{ field: sent, otherwise: dead-letter }",
        "{ field: sent, otherwise: record-time }"
      })
  void aSourceNamesTheField(String time) throws Exception {
    Program program = parser.parse(program("time: " + time));
    Source source = program.sources().getFirst();

    assertThat(source.time()).isEqualTo(new DocumentTime("sent", !time.contains("record-time")));
    assertThat(parser.parse(ProgramWriter.write(program).toString())).isEqualTo(program);
  }

  @Test
  void theLeastNumberIsBefore1970() throws Exception {
    Document document = Document.parse("{\"t\": -9223372036854775808}");
    assertThatThrownBy(() -> new DocumentTime("t", true).of(document, 0))
        .isInstanceOf(InvalidDocumentException.class)
        .hasMessageContaining("before 1970");
  }

  @Test
  void aMistakeIsNamed() {
    assertThatThrownBy(() -> parser.parse(program("time: { field: sent, otherwise: record }")))
        .isInstanceOf(InvalidTextException.class)
        .hasMessageContaining("unknown alternative 'record'; there are dead-letter, record-time");
    assertThatThrownBy(() -> parser.parse(program("time: sent, format: avro")))
        .isInstanceOf(InvalidTextException.class)
        .hasMessageContaining("'time' needs 'format: json'");
    assertThatThrownBy(() -> parser.parse(program("time: ''")))
        .isInstanceOf(InvalidTextException.class);
  }

  private static String program(String time) {
    return """
    program: p
    sources: { mails: { topic: in, TIME } }
    results: { topic: out }
    operators:
      - filter: keep
        condition: It is urgent.
    """
        .replace("TIME", time);
  }
}
