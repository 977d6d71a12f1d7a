package dev.abacus.deploy.evaluation.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cli.Abacus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlowCommandsTest {

  @ParameterizedTest
  @ValueSource(strings = {"swap", "recovery", "limits"})
  void everyCommandHasHelpWithAnExample(String command) {
    StringWriter out = new StringWriter();

    int exit = Abacus.run(new PrintWriter(out), new PrintWriter(out), "bench", command, "--help");

    assertThat(exit).isZero();
    assertThat(out.toString())
        .contains("Usage: abacus bench " + command)
        .contains("Example:")
        .contains("abacus bench " + command + " --");
  }

  @ParameterizedTest
  @CsvSource({
    "swap --latency 200, --latency",
    "swap --latency 0s, --latency",
    "swap --every 9s --seconds 8s, --every",
    "swap --in-flight 0, --in-flight",
    "swap --partitions x, --partitions",
    "recovery --takeover nobody, --takeover",
    "recovery --rate 0, --rate",
    "recovery --rate 1000, below 500",
    "recovery --repetitions 0, --repetitions",
    "recovery --before -1s, --before",
    "recovery -X nonsense, -X",
    "limits --seconds 5s, --seconds",
    "limits --only nobody, --only",
  })
  void rejectsInvalidOptionsBeforeItStarts(String line, String named) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int exit =
        Abacus.run(new PrintWriter(out), new PrintWriter(err), ("bench " + line).split(" ", -1));

    assertThat(exit).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    List<String> lines = err.toString().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).startsWith("error: ").contains(named);
  }
}
