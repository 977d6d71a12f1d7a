package dev.abacus.deploy.evaluation.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.cli.Abacus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentCommandTest {

  @SuppressWarnings("InlineFormatString") // it is easier to read by itself
  private static final String LINE =
      """
      {"id": "%s", "technique": "model-selection", "models": ["%s"], "params": {"model": "%s"}, \
      "quality": %s, "cost_usd": %s, "latency_s": 1.0}
      """;

  @TempDir private Path folder = Path.of("");
  private Path landscape = Path.of("");

  private record Outcome(int exit, String out, String err) {}

  @BeforeEach
  void writeALandscape() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      lines.append(
          LINE.formatted("arm" + i, "m" + i % 5, "m" + i % 5, 0.2 + 0.02 * i, 0.001 * (i + 1)));
    }
    landscape = Files.writeString(folder.resolve("landscape.jsonl"), lines);
  }

  private Outcome run(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("experiment", "--landscape", "classify=" + landscape));
    arguments.addAll(List.of(more));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        Abacus.run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new));
    return new Outcome(exit, out.toString(), err.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"surrogate", "paper", "random"})
  void everyPolicySpendsItsBudgetAndIsJudgedByTheTruth(String policy) throws IOException {
    Outcome outcome = run("--policy", policy, "--budget", "30", "--seeds", "5", "-o", "json");

    assertThat(outcome.exit()).as(outcome.err()).isZero();
    JsonNode report = new ObjectMapper().readTree(outcome.out());
    assertThat(report.path("policy").asText()).isEqualTo(policy);
    assertThat(report.path("runs")).hasSize(5);
    assertThat(report.path("runs").path(0).path("samples").asInt()).isLessThanOrEqualTo(30);
    JsonNode summary = report.path("summary");
    assertThat(summary.path("oracleQuality").asDouble()).isEqualTo(0.78);
    assertThat(summary.path("regret").asDouble())
        .isCloseTo(
            0.78 - summary.path("meanTrueQuality").asDouble(),
            org.assertj.core.data.Offset.offset(1e-9));
    assertThat(summary.path("confidence").path("regret")).hasSize(2);
  }

  @Test
  void theEstimatesOfTheChosenPlansAreComparedWithTheTruth() throws IOException {
    Outcome outcome =
        run(
            "--budget",
            "150",
            "--seeds",
            "5",
            "--objective",
            "minimize cost subject to quality >= 0.5",
            "-o",
            "json");

    assertThat(outcome.exit()).as(outcome.err()).isZero();
    JsonNode report = new ObjectMapper().readTree(outcome.out());
    double errors = 0;
    int covered = 0;
    int believed = 0;
    int kept = 0;
    for (JsonNode trial : report.path("runs")) {
      double estimate = trial.path("estimate").path("quality").asDouble();
      double truth = trial.path("trueQuality").asDouble();
      JsonNode interval = trial.path("interval").path("quality");
      assertThat(estimate).isBetween(interval.path(0).asDouble(), interval.path(1).asDouble());
      errors += estimate - truth;
      covered +=
          interval.path(0).asDouble() <= truth && truth <= interval.path(1).asDouble() ? 1 : 0;
      believed += trial.path("believedFeasible").asBoolean() ? 1 : 0;
      kept +=
          trial.path("believedFeasible").asBoolean() && trial.path("feasible").asBoolean() ? 1 : 0;
      assertThat(
              trial.path("calls").path("made").asInt() + trial.path("calls").path("shared").asInt())
          .isEqualTo(trial.path("samples").asInt());
    }
    JsonNode summary = report.path("summary");
    assertThat(summary.path("estimate").path("quality").path("bias").asDouble())
        .isCloseTo(errors / 5, org.assertj.core.data.Offset.offset(1e-9));
    assertThat(summary.path("estimate").path("quality").path("coverage").asDouble())
        .isEqualTo(covered / 5.0);
    assertThat(summary.path("estimate").path("cost").has("bias")).isTrue();
    assertThat(summary.path("estimate").path("latency").has("coverage")).isTrue();
    assertThat(summary.path("boundKept").asDouble()).isEqualTo((double) kept / believed);
  }

  @Test
  void aSearchForFewDocumentsEndsBeforeItsBudgetIsSpent() throws IOException {
    String[] search = {
      "--budget", "150", "--seeds", "3", "--objective", "minimize cost", "-o", "json"
    };
    double whole = samples(search);

    assertThat(whole).isGreaterThan(140);
    double many = samples(with(search, "--documents", "1000000000"));
    assertThat(samples(with(search, "--documents", "1"))).isLessThan(many).isLessThan(0.5 * whole);
    // At last, one is known to be the cheapest.
    assertThat(many).isLessThan(whole);
  }

  private static String[] with(String[] arguments, String... more) {
    return Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new);
  }

  private double samples(String... arguments) throws IOException {
    Outcome outcome = run(arguments);
    assertThat(outcome.exit()).as(outcome.err()).isZero();
    return new ObjectMapper().readTree(outcome.out()).at("/summary/meanSamples").asDouble();
  }

  @Test
  void callsThatImplementationsHaveInCommonArePaidOnce() throws IOException {
    // Two proposers that cost as much as the aggregator; four mixtures have the same proposers.
    StringBuilder lines = new StringBuilder();
    for (String aggregator : List.of("m0", "m1", "m2", "m3")) {
      lines
          .append("{\"id\": \"")
          .append(aggregator)
          .append("\", \"technique\": \"mixture-of-agents\", \"models\": [\"m0\", \"m1\", \"")
          .append(aggregator)
          .append("\"], \"params\": {\"temperature\": 0.4}, \"quality\": 0.5, ")
          .append("\"cost_usd\": 0.3, \"latency_s\": 1}\n");
    }
    Files.writeString(landscape, lines);

    Outcome outcome =
        run(
            "--budget",
            "40",
            "--confirmation-share",
            "0",
            "--cv",
            "0",
            "--examples",
            "10",
            "--seeds",
            "1",
            "-o",
            "json");

    JsonNode trial = new ObjectMapper().readTree(outcome.out()).path("runs").path(0);
    int made = trial.path("calls").path("made").asInt();
    int shared = trial.path("calls").path("shared").asInt();
    assertThat(trial.path("samples").asInt()).isEqualTo(40);
    // 10 examples: two proposers once, four aggregators.
    assertThat(made).isEqualTo(60);
    assertThat(shared).isEqualTo(60);
    assertThat(trial.path("spentUsd").asDouble())
        .isCloseTo(6, org.assertj.core.data.Offset.offset(1e-9));
    // The estimate counts what a live document pays.
    assertThat(trial.path("estimate").path("cost").asDouble())
        .isCloseTo(0.3, org.assertj.core.data.Offset.offset(1e-3));
  }

  @Test
  void theSameSeedsGiveTheSameAnswerByteForByte() {
    String[] arguments = {"--budget", "20", "--seeds", "4", "-o", "json"};

    assertThat(run(arguments).out()).isEqualTo(run(arguments).out());
  }

  @Test
  void severalLandscapesMakeAChain() throws IOException {
    Outcome outcome =
        run(
            "--landscape",
            "rank=" + landscape,
            "--budget",
            "20",
            "--seeds",
            "2",
            "--objective",
            "maximize quality subject to cost <= 0.03",
            "-o",
            "json");

    assertThat(outcome.exit()).as(outcome.err()).isZero();
    JsonNode chosen =
        new ObjectMapper().readTree(outcome.out()).path("runs").path(0).path("chosen");
    assertThat(chosen.has("classify") && chosen.has("rank")).isTrue();
  }

  @Test
  void aBudgetInDollarsIsOvershotByOneSampleAtMost() throws IOException {
    Outcome outcome = run("--budget", "$0.2", "--seeds", "3", "-o", "json");

    for (JsonNode trial : new ObjectMapper().readTree(outcome.out()).path("runs")) {
      assertThat(trial.path("spentUsd").asDouble()).isLessThan(0.2 + 0.1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "quality": 0.5,     | ``                  | 'quality' is missing
          "quality": 0.5      | "quality": "NaN"    | 'quality' is "NaN"
          "quality": 0.5      | "quality": 1.5      | 'quality' is 1.5
          "cost_usd": 0.1     | "cost_usd": -1      | 'cost_usd' is -1
          "technique": "t",   | ``                  | 'technique' is missing
          "params": {},       | ``                  | 'params' is missing
          {"id"               | {{"id"              | not valid JSON
          """)
  void aBadLandscapeIsRefusedWithLineKeyAndReason(String good, String bad, String message)
      throws IOException {
    String line =
        """
        {"id": "x", "technique": "t", "models": [], "params": {}, "quality": 0.5, "cost_usd": 0.1, "latency_s": 1}
        """;
    Files.writeString(landscape, line.replace(good, bad));

    Outcome outcome = run("--seeds", "1");

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains("line 1").contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          --objective | maximize quality subject to quality >= 0.5 | bounds its own target
          --policy    | guess                                      | but was 'guess'
          --budget    | many                                       | --budget is 'many'
          --budget    | 0                                          | --budget is '0'
          --cv        | -1                                         | it must be >= 0
          --shared-mistakes | 2                                    | it must be in [0, 1]
          """)
  void wrongOptionsAreRefused(String option, String value, String message) {
    Outcome outcome = run("--seeds", "1", option, value);

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains(message);
  }
}
