package dev.abacus.deploy.evaluation.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.deploy.evaluation.Run;
import dev.abacus.deploy.evaluation.bench.GrowthCommand.Growth;
import dev.abacus.deploy.evaluation.bench.GrowthCommand.Point;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.Statistics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandsTest {

  @ParameterizedTest
  @ValueSource(strings = {"swap", "recovery", "limits"})
  void everyCommandHasHelpWithAnExample(String command) {
    Run run = Run.of("bench", command, "--help");

    assertThat(run.exit()).isZero();
    assertThat(run.out() + run.err())
        .contains("Usage: abacus bench " + command)
        .contains("Example:")
        .contains("abacus bench " + command + " --");
  }

  @ParameterizedTest
  @CsvSource({
    "throughput --workers 0, --workers",
    "throughput --workers 5 --partitions 4 --only abacus, --workers",
    "throughput --workers 2, --only abacus",
    "throughput --document-bytes -1, --document-bytes",
    "growth --only speed, --only",
    "price --documents 0, --documents",
    "price --data /nowhere, --data",
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
    Run run = Run.of(("bench " + line).split(" ", -1));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.errorLines()).hasSize(2);
    assertThat(run.err()).startsWith("error: ").contains(named);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_000, 100_000})
  void documentsHaveTheWantedSize(int bytes) {
    byte[] document = BenchmarkProgram.document(17, bytes);
    assertThat(new String(document, StandardCharsets.UTF_8)).contains("\"d-17\"", "Message 17:");
    assertThat(document.length).isBetween(bytes - 50, bytes + 100);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 1, 2})
  void theExponentIsThatOfAPowerLaw(double exponent) {
    List<Point> points =
        IntStream.of(1, 10, 100)
            .mapToObj(value -> new Point(value, 3 * Math.pow(value, exponent)))
            .toList();
    assertThat(Growth.of(MassRelease.GROUPS, points).exponent()).isCloseTo(exponent, within(1e-9));
  }

  @Test
  void theMedianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
    assertThat(Statistics.median(List.of(9L, 1L, 2L))).isEqualTo(2);
    assertThat(Statistics.median(List.of(9.0, 1.0, 3.0, 2.0))).isEqualTo(2.5);
  }

  @Test
  void aProgramHasAsManyOperatorsAsWanted() {
    assertThat(new BenchmarkProgram("one", 1).program().operators()).hasSize(1);
    assertThat(new BenchmarkProgram("many", 8).program().operators()).hasSize(8);
  }
}
