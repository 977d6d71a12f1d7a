package dev.abacus.deploy.evaluation.paper;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.Abacus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Synthetic data in the format of the real data sets. */
class PaperCommandTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final List<String> REACTIONS =
      List.of("Nausea", "Headache", "Vertigo", "Rash", "Fever", "Cough");

  @TempDir private Path folder = Path.of("");

  private record CommandOutcome(int exit, String out, String err) {}

  private CommandOutcome run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("experiment", "paper"));
    all.addAll(List.of(arguments));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit = Abacus.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
    return new CommandOutcome(exit, out.toString(), err.toString());
  }

  @BeforeEach
  void writeReportsAndQuestions() throws IOException {
    biodex();
    mmqa();
  }

  private void biodex() throws IOException {
    write(
        "biodex/reaction_vocabulary.jsonl",
        REACTIONS.stream().map(label -> JSON.objectNode().put("label", label)).toList());
    List<ObjectNode> reports = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String reaction = REACTIONS.get(i % REACTIONS.size());
      ObjectNode report =
          JSON.objectNode()
              .put("id", "r" + i)
              .put("title", "Case " + i)
              .put(
                  "text",
                  "Patient %d came by day %d. After the drug, the patient complained of %s."
                      .formatted(i, i * 7, reaction.toLowerCase(java.util.Locale.ROOT)));
      report.putArray("reactions").add(reaction);
      reports.add(report);
    }
    write("biodex/train.jsonl", reports.subList(0, 4));
    write("biodex/validation.jsonl", reports.subList(4, 12));
  }

  private void mmqa() throws IOException {
    List<ObjectNode> texts = new ArrayList<>();
    List<ObjectNode> questions = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      texts.add(
          JSON.objectNode()
              .put("id", "t" + i)
              .put("title", "Singer " + i)
              .put("text", "Singer %d was born in the year %d.".formatted(i, 1900 + i))
              .put("gold", true));
      ObjectNode question =
          JSON.objectNode()
              .put("qid", "q" + i)
              .put("split", i < 4 ? "train" : "validation")
              .put("question", "When was singer number %d born?".formatted(i));
      question.putArray("answers").add(String.valueOf(1900 + i));
      question.putArray("supporting_text_ids").add("t" + i);
      question.putArray("supporting_table_ids");
      question.putArray("supporting_image_ids");
      questions.add(question);
    }
    write("mmqa/texts.jsonl", texts);
    write("mmqa/questions.jsonl", questions);
    ObjectNode table =
        JSON.objectNode()
            .put("id", "b")
            .put("title", "Songs")
            .put("table_name", "Songs")
            .put("gold", true);
    table.putArray("header").add("Year");
    table.putArray("rows").addArray().add("1950");
    write("mmqa/tables.jsonl", List.of(table));
    write(
        "mmqa/images.jsonl",
        List.of(
            JSON.objectNode()
                .put("id", "i")
                .put("title", "Harbour")
                .put("file", "i.png")
                .put("gold", true)));
  }

  private void write(String name, List<ObjectNode> lines) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, lines.stream().map(JsonNode::toString).toList());
  }

  @Test
  void tablesContainWhatSearchesFound() {
    CommandOutcome outcome =
        run(
            "--data",
            folder.toString(),
            "--table",
            "quality,cheap",
            "--data-set",
            "biodex,mmqa",
            "--seeds",
            "2",
            "--budget",
            "10");

    assertThat(outcome.exit()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .contains("| MMQA | maximize quality | surrogate (ours) | 10 |")
        .contains("minimize latency")
        .contains("## Limits")
        // The models know the answers and the plans work.
        .doesNotContain("| 10 | 0.000");
  }

  @Test
  void theSameSeedsGiveTheSameReport() {
    String[] arguments = {
      "--data",
      folder.toString(),
      "--table",
      "quality",
      "--data-set",
      "biodex",
      "--policy",
      "surrogate",
      "--seeds",
      "2",
      "--budget",
      "8"
    };

    assertThat(run(arguments).out()).isEqualTo(run(arguments).out());
  }

  @Test
  void findingsAreInTheJson() throws IOException {
    String[] arguments = {
      "--data",
      folder.toString(),
      "--table",
      "cheap",
      "--data-set",
      "biodex",
      "--policy",
      "paper",
      "--seeds",
      "1",
      "--budget",
      "10",
      "-o",
      "json"
    };

    CommandOutcome outcome = run(arguments);

    assertThat(outcome.exit()).as(outcome.err()).isZero();
    JsonNode report = new ObjectMapper().readTree(outcome.out());
    assertThat(report.path("CHEAP")).hasSize(2);
    assertThat(report.path("CHEAP").path(0).path("setup").path("policy").asText())
        .isEqualTo("paper");
    assertThat(report.path("CHEAP").path(0).path("quality").path("mean").asDouble())
        .isBetween(0.0, 1.0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          --table    | table9       | expected one of [QUALITY, CHEAP] (case-insensitive) but was 'table9'
          --data-set | enron        | expected one of [BIODEX, CUAD, MMQA] (case-insensitive) but was 'enron'
          --policy   | guess        | but was 'guess'
          --seeds    | 0            | --seeds is 0
          --budget   | 0            | --budget is 0
          --budget   | many         | Invalid value for option '--budget'
          --data-set | cuad         | no such folder
          """)
  void refusesInvalidOptions(String option, String value, String message) {
    CommandOutcome outcome = run("--data", folder.toString(), option, value);

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains(message);
  }

  @Test
  void requiresTheDataFolder() {
    assertThat(run().err()).contains("--data");
    assertThat(run().exit()).isEqualTo(2);
  }

  @Test
  void refusesADataSetWithTooFewDocuments() throws IOException {
    write("biodex/train.jsonl", List.of());
    write("biodex/validation.jsonl", List.of());

    CommandOutcome outcome =
        run("--data", folder.toString(), "--data-set", "biodex", "--table", "quality");

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains("BioDEX has 0 documents");
  }
}
