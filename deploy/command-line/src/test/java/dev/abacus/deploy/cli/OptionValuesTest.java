package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.deploy.cli.option.OptionValues;
import dev.abacus.schemas.objective.Objective;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

class OptionValuesTest {

  @Command
  private static final class Options {
    @Option(names = "--for")
    private @Nullable Duration time;

    @Option(names = "--at")
    private @Nullable Instant at;

    @Option(names = "--objective")
    private @Nullable Objective objective;
  }

  private static Options parse(String... arguments) {
    Options options = new Options();
    CommandLine command = new CommandLine(options);
    OptionValues.register(command);
    command.parseArgs(arguments);
    return options;
  }

  @ParameterizedTest
  @CsvSource({"200ms, PT0.2S", "1.5s, PT1.5S", "90m, PT1H30M", "12h, PT12H", "7d, PT168H"})
  void aLengthOfTimeHasAUnit(String text, Duration time) {
    assertThat(parse("--for", text).time).isEqualTo(time);
  }

  @Test
  void aTimeHasAnOffset() {
    assertThat(parse("--at", "2026-11-22T09:00:00+01:00").at)
        .isEqualTo(Instant.parse("2026-11-22T08:00:00Z"));
  }

  @Test
  void anObjectiveIsOneLine() {
    assertThat(parse("--objective", "minimize cost subject to quality >= 0.8").objective)
        .hasToString("minimize cost subject to quality >= 0.8");
  }

  @ParameterizedTest
  @CsvSource({
    "--for, soon, 200ms",
    "--for, 7, 90m",
    "--for, -1s, 90m",
    "--at, 2026-11-22, 2026-11-22T08:00:00Z",
    "--objective, maximize speed, maximize quality subject to"
  })
  void aWrongValueIsRefusedWithItsOptionAndAnExample(String option, String text, String example) {
    assertThatThrownBy(() -> parse(option + "=" + text))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining(option)
        .hasMessageContaining(example);
  }
}
