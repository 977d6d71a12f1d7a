package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicCheckTest {

  private static Program program(String name, String source, String results) {
    try {
      return new ProgramParser(ModelCatalogue.builtIn())
          .parse(
              """
              program: %s
              sources: { s: { topic: "%s" } }
              operators:
                - filter: f
                  condition: c
                  reads: [t]
              results: { topic: "%s" }
              """
                  .formatted(name, source, results));
    } catch (InvalidTextException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void topicsOfAUserAreAccepted() {
    assertThat(TopicCheck.mistake(program("p", "in", "out"), List.of())).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abacus.control",
        "abacus.status",
        "abacus-p-f-changelog",
        "p.dlq",
        "p.samples",
        "p.observations",
        "p.receipts",
        "p.validation"
      })
  void topicsOfTheProductAreRefused(String topic) {
    assertThat(TopicCheck.mistake(program("p", topic, "out"), List.of()))
        .contains("'" + topic + "' of source 's' belongs to Abacus");
    assertThat(TopicCheck.mistake(program("p", "in", topic), List.of()))
        .contains("of results belongs to Abacus");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "é", "a/b", ".."})
  void namesThatKafkaRefusesAreRefused(String topic) {
    assertThat(TopicCheck.mistake(program("p", topic, "out"), List.of()))
        .contains("is not a valid name");
  }

  @Test
  void resultsThatReturnToTheSourceAreRefused() {
    assertThat(TopicCheck.mistake(program("p", "a", "a"), List.of())).contains("source topic 'a'");

    List<Program> others = List.of(program("q", "b", "c"), program("r", "c", "a"));
    assertThat(TopicCheck.mistake(program("p", "a", "b"), others))
        .contains("return to its source topic 'a' through other programs");
    assertThat(TopicCheck.mistake(program("p", "a", "d"), others)).isNull();
    assertThat(TopicCheck.mistake(program("r", "c", "d"), others)).isNull();
  }

  @Test
  void theDeadLettersOfAnotherProgramMayBeASource() {
    assertThat(TopicCheck.mistake(program("p", "q.dlq", "out"), List.of())).isNull();
  }
}
