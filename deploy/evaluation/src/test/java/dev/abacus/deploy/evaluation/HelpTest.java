package dev.abacus.deploy.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cli.Abacus;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** The help of every command, those of this module among them. */
class HelpTest {

  static Stream<CommandSpec> commands() {
    return withSubcommands(Abacus.commandLine());
  }

  private static Stream<CommandSpec> withSubcommands(CommandLine command) {
    return Stream.concat(
        Stream.of(command.getCommandSpec()),
        command.getSubcommands().values().stream().flatMap(HelpTest::withSubcommands));
  }

  /** The list of commands shows the first line of each alone. */
  @ParameterizedTest
  @MethodSource("commands")
  void theFirstLineOfADescriptionIsASentence(CommandSpec command) {
    assertThat(command.usageMessage().description()[0]).endsWith(".");
  }

  /** A line that ends within a sentence is broken once more where the terminal is narrower. */
  @ParameterizedTest
  @MethodSource("commands")
  void descriptionsBreakWhereTheTerminalEnds(CommandSpec command) {
    Stream<String[]> ofArguments = command.args().stream().map(ArgSpec::description);
    String[] ofCommand = command.usageMessage().description();
    assertThat(Stream.concat(Stream.<String[]>of(ofCommand), ofArguments))
        .allSatisfy(lines ->
            assertThat(Arrays.copyOf(lines, Math.max(0, lines.length - 1)))
                .allMatch(line -> line.endsWith(".")));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theExampleIsOneOfTheCommand(CommandSpec command) {
    assertThat(command.usageMessage().footer())
        .anyMatch(line -> line.contains(command.qualifiedName(" ")) || command.parent() == null);
  }
}
