package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample program over files, on a stack of its own. */
class RunLocalIT {

  private static final Path SAMPLE = Path.of("../examples/support-triage");
  private static final int DOCUMENTS = 24;

  private final ObjectMapper json = new ObjectMapper();

  /** The sample program with a second filter. */
  private static Path program(Path folder) throws IOException {
    String sample = Files.readString(SAMPLE.resolve("program.yaml"));
    String second =
        """
          - filter: is-complaint
            condition: The customer reports that something went wrong.
            reads: [text]
          - project:\
        """;
    return Files.writeString(
        folder.resolve("program.yaml"),
        sample.replace("  - project:", second).replace("samples: 150", "samples: 90"));
  }

  /** The answers that the simulated models know, as labels. */
  private Path labels(Path folder) throws IOException {
    List<String> labels = new ArrayList<>();
    for (String line : Files.readAllLines(SAMPLE.resolve("answers.jsonl"))) {
      JsonNode known = json.readTree(line);
      JsonNode problem = known.path("conditions").elements().next();
      JsonNode answers = known.path("answers");
      ObjectNode label = json.createObjectNode();
      label.set("is-problem", problem);
      label.set("is-complaint", problem);
      label.putObject("classify").set("intent", answers.path("intent"));
      label.putObject("extract").set("order_number", answers.path("order_number"));
      labels.add(
          json.createObjectNode()
              .put("id", known.path("id").asText())
              .<ObjectNode>set("labels", label)
              .toString());
    }
    return Files.write(folder.resolve("labels.jsonl"), labels);
  }

  @Test
  void everyDocumentOfAFileIsAccountedFor(@TempDir Path folder) throws Exception {
    List<String> lines = Files.readAllLines(SAMPLE.resolve("documents.jsonl"));
    Path documents = Files.write(folder.resolve("documents.jsonl"), lines.subList(0, DOCUMENTS));
    Path results = folder.resolve("out/results.jsonl");

    Run run =
        Run.of(
            "run",
            program(folder).toString(),
            "--local",
            "--documents",
            documents.toString(),
            "--validation",
            SAMPLE.resolve("validation.jsonl").toString(),
            "--answers",
            SAMPLE.resolve("answers.jsonl").toString(),
            "--labels",
            labels(folder).toString(),
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
    assertThat(answer.path("scores"))
        .extracting(score -> score.path("operator").asText())
        .containsExactly(
            "classify",
            "extract",
            "is-problem",
            "is-complaint",
            "is-problem+is-complaint",
            "is-problem+is-complaint",
            "whole plan");
    for (int score : new int[] {0, 1, 2, 3, 6}) {
      assertThat(answer.at("/scores/" + score + "/promised").isNumber())
          .as("score " + score)
          .isTrue();
      assertThat(answer.at("/scores/" + score + "/value").asDouble()).isBetween(0.3, 1.0);
    }
    assertThat(answer.at("/scores/4/documents").asInt())
        .as("labels of other documents do not count")
        .isEqualTo(DOCUMENTS - answer.path("deadLetters").asInt());
    assertThat(answer.has("unscored")).isFalse();
  }
}
