package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.truth.AnswersFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors of answers files and options. */
class AnswersFileTest {

  private static final String GOOD =
      "{\"id\":\"a\",\"document\":{\"text\":\"Some text of a document.\"}}\n";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not json|(line)",
        "{\"document\":{}}|id",
        "{\"id\":\"b\"}|document",
        "{\"id\":\"b\",\"document\":{},\"answers\":[]}|answers",
        "{\"id\":\"b\",\"document\":{},\"conditions\":{\"x\":\"yes\"}}|conditions.x",
        "{\"id\":\"b\",\"document\":{},\"evidence\":{\"x\":\"span\"}}|evidence.x",
        "{\"id\":\"b\",\"document\":{},\"difficulty\":{\"x\":2}}|difficulty.x"
      })
  void errorsNameFileLineAndKey(String line, String key) throws IOException {
    Path file = folder.resolve("answers.jsonl");
    Files.writeString(file, GOOD + "\n" + line + "\n");

    assertThatExceptionOfType(AnswersFileException.class)
        .isThrownBy(() -> SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withAnswers(file)))
        .withMessageContainingAll(file.toString(), "line 3", "key " + key);
  }

  @Test
  void aMissingFileIsNamed() {
    Path file = folder.resolve("absent.jsonl");

    assertThatExceptionOfType(AnswersFileException.class)
        .isThrownBy(() -> SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withAnswers(file)))
        .withMessageContaining(file.toString());
  }

  @Test
  void optionsOutOfRangeAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> SimulatorOptions.DEFAULTS.withSpeed(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimulatorOptions.DEFAULTS.withPort(70_000));
    assertThatIllegalArgumentException().isThrownBy(() -> FaultRates.parse("429=1.5"));
    assertThatIllegalArgumentException().isThrownBy(() -> FaultRates.parse("429=0.6,500=0.6"));
    assertThatIllegalArgumentException().isThrownBy(() -> FaultRates.parse("418=0.1"));
  }
}
