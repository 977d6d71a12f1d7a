package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AbacusTest {

  private static List<CommandLine> withSubcommands(CommandLine command) {
    List<CommandLine> all = new ArrayList<>(List.of(command));
    command.getSubcommands().values().forEach(sub -> all.addAll(withSubcommands(sub)));
    return all;
  }

  @TestFactory
  List<DynamicTest> everyCommandHasHelpWithAnExample() {
    return withSubcommands(Abacus.commandLine()).stream()
        .map(command -> command.getCommandSpec().qualifiedName(" "))
        .map(name ->
            DynamicTest.dynamicTest(
                name,
                () -> {
                  List<String> words = new ArrayList<>(List.of(name.split(" ", -1)));
                  words.removeFirst();
                  words.add("--help");
                  Run run = Run.of(words.toArray(String[]::new));

                  assertThat(run.exit()).isZero();
                  assertThat(run.out()).contains("Usage: " + name).contains("Example:");
                  assertThat(run.out())
                      .contains("abacus " + words.getFirst().replace("--help", ""));
                  assertThat(run.err()).isEmpty();
                }))
        .toList();
  }

  /** Where digits are others, addresses and keys would have them too. */
  @Test
  void digitsAreTheSameEverywhere() throws Exception {
    Process abacus =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=ar",
                "-Duser.country=EG",
                "-cp",
                System.getProperty("java.class.path"),
                Abacus.class.getName(),
                "validate",
                "../examples/support-triage/program.yaml")
            .start();
    assertThat(new String(abacus.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("4 operators (3 semantic)");
  }

  @Test
  void theCompletionScriptCompletesCommandsAndOptions(@TempDir Path folder) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash");
    Run run = Run.of("completion", "bash");
    assertThat(run.exit()).isZero();
    Path script = Files.writeString(folder.resolve("completion"), run.out());

    assertThat(complete(script, "abacus", "wor")).isEqualTo("worker");
    assertThat(complete(script, "abacus", "worker", "--bootstrap")).isEqualTo("--bootstrap-server");
    assertThat(complete(script, "abacus", "plan", "roll")).isEqualTo("rollback");
    assertThat(Run.of("completion", "zsh").out()).isEqualTo(run.out());
  }

  /** What bash proposes for the last word. */
  private static String complete(Path script, String... words) throws Exception {
    String line = String.join(" ", words);
    Process bash =
        new ProcessBuilder(
                "/bin/bash",
                "-c",
                "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_abacus; echo \"${COMPREPLY[*]}\""
                    .formatted(script, line, words.length - 1))
            // A warning that this is no interactive shell.
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    bash.waitFor();
    return answer.strip();
  }

  @Test
  void anUnknownOptionIsBadUsage() {
    Run run = Run.of("validate", "x.yaml", "--nonsense");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.errorLines())
        .hasSize(2)
        .satisfies(lines -> assertThat(lines.get(0)).startsWith("error: ").contains("--nonsense"))
        .satisfies(lines -> assertThat(lines.get(1)).contains("abacus validate --help"));
  }

  @Test
  void anUnknownCommandIsBadUsage() {
    Run run = Run.of("optimise");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("optimise");
  }

  @Test
  void noCommandIsBadUsage() {
    assertThat(Run.of().exit()).isEqualTo(2);
    assertThat(Run.of("plan").exit()).isEqualTo(2);
  }

  @Test
  void aClusterThatDoesNotAnswerIsToldInTwoLinesWithoutAStackTrace() {
    Run run = Run.of("status", "--bootstrap-server", "no-such-host.invalid:9092");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errorLines()).hasSize(2);
    assertThat(run.errorLines().getFirst())
        .startsWith("error: Kafka at no-such-host.invalid:9092 cannot be used");
    assertThat(run.errorLines().getLast()).contains("--bootstrap-server");
  }

  @Test
  void aListenerOfAnotherProtocolIsTold() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Run run = Run.of("status", "--bootstrap-server", "127.0.0.1:" + silent.getLocalPort());

      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.errorLines().getFirst())
          .endsWith("it takes connections, but no broker answers with security.protocol=PLAINTEXT");
      assertThat(run.errorLines().getLast()).contains("advertised.listeners");
    }
  }

  @Test
  void verboseShowsTheStackTrace() {
    Run run = Run.of("status", "--verbose", "--bootstrap-server", "no-such-host.invalid:9092");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("\tat dev.abacus.deploy");
  }

  @Test
  void aReplayThatWouldNotWaitIsRefusedBeforeItAsksKafka() {
    Run run = Run.of("replay", "p", "--plan", "1", "--last", "5", "--patience", "0s");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--patience is 0", "such as 90s or 2m");
  }

  @Test
  void aReplayWithAJudgeNeedsALimitBeforeItAsksKafka() {
    Run run = Run.of("replay", "p", "--plan", "1", "--last", "5", "--judge");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("the price of the judge is not known", "--max-usd");
  }
}
