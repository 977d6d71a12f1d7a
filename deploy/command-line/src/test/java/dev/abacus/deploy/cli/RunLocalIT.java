package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample program over files, on a stack of its own. */
class RunLocalIT {

  private static final Path SAMPLE = Path.of("../examples/support-triage");
  private static final int DOCUMENTS = 24;

  private final ObjectMapper json = new ObjectMapper();

  @Test
  void everyDocumentOfAFileIsAccountedFor(@TempDir Path folder) throws Exception {
    List<String> lines = Files.readAllLines(SAMPLE.resolve("documents.jsonl"));
    Path documents = Files.write(folder.resolve("documents.jsonl"), lines.subList(0, DOCUMENTS));
    Path results = folder.resolve("out/results.jsonl");

    Run run =
        Run.of(
            "run",
            SAMPLE.resolve("program.yaml").toString(),
            "--local",
            "--documents",
            documents.toString(),
            "--validation",
            SAMPLE.resolve("validation.jsonl").toString(),
            "--answers",
            SAMPLE.resolve("answers.jsonl").toString(),
            "--speed",
            "200",
            "--results",
            results.toString(),
            "--with-headers",
            "-o",
            "json");

    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode answer = json.readTree(run.out());
    int kept = answer.path("results").asInt();
    assertThat(answer.path("documents").asInt()).isEqualTo(DOCUMENTS);
    assertThat(kept + answer.path("filtered").asInt() + answer.path("deadLetters").asInt())
        .isEqualTo(DOCUMENTS);
    assertThat(answer.path("simulated").asBoolean()).isTrue();
    assertThat(answer.path("epoch").asLong()).isPositive();
    assertThat(answer.at("/plan/feasible").isBoolean()).isTrue();
    assertThat(answer.path("costUsd").asDouble()).isPositive();
    List<String> written = Files.readAllLines(results);
    assertThat(written).hasSize(kept).isNotEmpty();
    JsonNode first = json.readTree(written.getFirst());
    assertThat(first.path("intent").asText()).isNotEmpty();
    assertThat(first.at("/abacus/key").asText()).isEqualTo(first.path("id").asText());
    assertThat(first.at("/abacus/epoch").asLong()).isPositive();
  }
}
