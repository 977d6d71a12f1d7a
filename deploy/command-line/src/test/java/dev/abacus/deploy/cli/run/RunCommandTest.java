package dev.abacus.deploy.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunCommandTest {

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "1, 0, 3", "2, 1, 3", "2, 2, 0", "1, 2, 0"})
  void moreDeadLettersThanAllowedEndWithExitCodeThree(int deadLetters, int allowed, int exit) {
    assertThat(RunCommand.exitCode(deadLetters, allowed)).isEqualTo(exit);
  }
}
