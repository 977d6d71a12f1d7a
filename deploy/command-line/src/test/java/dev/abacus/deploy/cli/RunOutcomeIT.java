package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.process.PlaneProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How {@code run} ends: exit codes, the file of dead letters, and a signal. */
class RunOutcomeIT {

  private static final int DOCUMENTS = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String PROGRAM =
      """
      program: outcome
      sources: { messages: { topic: outcome.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: outcome.out }
      models: [gpt-4o-mini]
      budget: { samples: 5 }
      """;

  @TempDir Path folder;

  private final ObjectMapper json = new ObjectMapper();

  @BeforeEach
  void write() throws Exception {
    Files.writeString(folder.resolve("program.yaml"), PROGRAM);
    // Two documents are larger than the limit that is set below.
    Files.write(
        folder.resolve("documents.jsonl"),
        IntStream.range(0, DOCUMENTS)
            .mapToObj(i ->
                "{\"id\":\"d%d\",\"text\":\"%s\"}".formatted(i, "word ".repeat(i < 2 ? 1000 : 10)))
            .toList());
    Files.writeString(folder.resolve("answers.jsonl"), "");
  }

  private String[] arguments(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                folder.resolve("program.yaml").toString(),
                "--local",
                "--documents",
                folder.resolve("documents.jsonl").toString(),
                "--answers",
                folder.resolve("answers.jsonl").toString(),
                "--results",
                folder.resolve("results.jsonl").toString(),
                "-X",
                "optimizer.stream.examples.after.ms=500"));
    arguments.addAll(Arrays.asList(more));
    return arguments.toArray(String[]::new);
  }

  @Test
  void deadLettersEndWithExitCodeThreeAndAreKeptWithTheirDocuments() throws Exception {
    Path letters = folder.resolve("letters.jsonl");
    Run run =
        Run.of(
            arguments(
                "-X",
                "abacus.document.max.bytes=4096",
                "--speed",
                "100",
                "--dead-letters",
                letters.toString(),
                "--allow-dead-letters",
                "1"));

    assertThat(run.exit()).as(run.err()).isEqualTo(3);
    assertThat(Files.readAllLines(folder.resolve("results.jsonl"))).hasSize(DOCUMENTS - 2);
    List<String> lines = Files.readAllLines(letters);
    assertThat(lines).hasSize(2);
    for (String line : lines) {
      JsonNode letter = json.readTree(line);
      assertThat(letter.path("key").asText()).isIn("d0", "d1");
      assertThat(letter.path("source").asText()).matches("outcome\\.in-\\d@\\d");
      assertThat(letter.path("cause").asText()).isEqualTo("OversizedDocument");
      assertThat(letter.path("reason").asText()).contains("4096");
      assertThat(letter.at("/document/id").asText()).isEqualTo(letter.path("key").asText());
    }
  }

  @Test
  void aSettingThatNobodyKnowsIsBadUsageBeforeAnythingStarts() {
    Run run = Run.of(arguments("-X", "abacus.inflight=2"));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errorLines()).hasSize(2);
    assertThat(run.errorLines().getFirst())
        .contains("abacus.inflight")
        .contains("did you mean abacus.in.flight?");
  }

  @Test
  void aSignalEndsTheRunWithExitCode130AndKeepsWhatCameBack() throws Exception {
    Path log = folder.resolve("run.log");
    try (PlaneProcess run = PlaneProcess.command(List.of(arguments("--speed", "0.01")), log)) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!Files.readString(log).contains("documents done")) {
        assertThat(run.endsWithin(Duration.ofMillis(200))).as(Files.readString(log)).isFalse();
        assertThat(System.nanoTime()).as(Files.readString(log)).isLessThan(deadline);
      }
      assertThat(run.terminate()).as(Files.readString(log)).isEqualTo(130);
    }
    assertThat(Files.readString(log)).contains("error: stopped by a signal");
    assertThat(folder.resolve("results.jsonl")).exists();
  }
}
