package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

  private static @Nullable String mistake(Program program, List<Program> others) {
    return TopicCheck.mistake(program, others, KafkaNames.UNPREFIXED);
  }

  @Test
  void topicsOfAUserAreAccepted() {
    assertThat(mistake(program("p", "in", "out"), List.of())).isNull();
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
        "p.journeys",
        "p.replayed",
        "p.learning",
        "p.review",
        "p.items.embedded",
        "p.validation"
      })
  void topicsOfTheProductAreRefused(String topic) {
    assertThat(mistake(program("p", topic, "out"), List.of()))
        .contains("'" + topic + "' of source 's' belongs to Abacus");
    assertThat(mistake(program("p", "in", topic), List.of()))
        .contains("of results belongs to Abacus");
  }

  @Test
  void resultsThatReturnToTheSourceAreRefused() {
    List<Program> others = List.of(program("q", "b", "c"), program("r", "c", "a"));
    assertThat(mistake(program("p", "a", "b"), others))
        .contains("return to its source topic 'a' through other programs");
    assertThat(mistake(program("p", "a", "d"), others)).isNull();
    assertThat(mistake(program("r", "c", "d"), others)).isNull();
  }

  @Test
  void aTopicOfCorrectedResultsDoesNotBelongToAbacus() throws Exception {
    assertThat(mistake(withFeedback("corrections"), List.of())).isNull();
    assertThat(mistake(withFeedback("p.dlq"), List.of())).contains("belongs to Abacus");
  }

  private static Program withFeedback(String topic) throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(
            """
            program: p
            sources: { s: { topic: in } }
            operators: [{ limit: 5 }]
            results: { topic: out }
            validation: { feedback: %s }
            """
                .formatted(topic));
  }

  @Test
  void theDeadLettersOfAnotherProgramMayBeASource() {
    assertThat(mistake(program("p", "q.dlq", "out"), List.of())).isNull();
  }
}
