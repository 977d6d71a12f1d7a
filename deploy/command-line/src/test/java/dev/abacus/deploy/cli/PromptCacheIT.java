package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An instruction of 3,000 tokens and documents of 200, one after the other, at an endpoint with a
 * prompt cache as OpenAI documents it: what is promised is the bill.
 */
class PromptCacheIT {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int TOPICS = 20;
  private static final int EXAMPLES = 60;
  private static final int DOCUMENTS = 120;

  /** About 4 characters a token. */
  private static final int INSTRUCTION_CHARACTERS = 13_000;

  private static final int DOCUMENT_CHARACTERS = 900;

  private static final List<String> WORDS =
      List.of(
          "parcel", "window", "garden", "letter", "engine", "kitchen", "harbour", "winter",
          "ticket", "morning", "copper", "village", "painter", "bridge", "silver", "orchard",
          "station", "market", "lantern", "meadow", "ribbon", "saddle", "timber", "velvet",
          "willow");

  @TempDir Path folder;

  private final Random random = new Random(5);

  private String sentence() {
    return random
        .ints(9, 0, WORDS.size())
        .mapToObj(WORDS::get)
        .collect(Collectors.joining(" ", "The ", ". "));
  }

  private String text(int characters) {
    StringBuilder text = new StringBuilder();
    while (text.length() < characters) {
      text.append(sentence());
    }
    return text.toString();
  }

  private static String topic(int number) {
    return "topic_%02d".formatted(number % TOPICS);
  }

  private void write() throws IOException {
    String handbook =
        IntStream.range(0, TOPICS)
            .mapToObj(number -> topic(number) + ": " + text(INSTRUCTION_CHARACTERS / TOPICS))
            .collect(Collectors.joining("\n"));
    String topics =
        IntStream.range(0, TOPICS)
            .mapToObj(PromptCacheIT::topic)
            .collect(Collectors.joining(", ", "[", "]"));
    Files.writeString(
        folder.resolve("program.yaml"),
        """
        program: topics
        sources:
          letters: { topic: letters, format: json, key: id }
        operators:
          - map: classify
            input: letters
            instruction: %s
            reads: [text]
            writes: { topic: { type: string, enum: %s } }
        results: { topic: topics, format: json }
        objective: { minimize: cost, subjectTo: { quality: 0.3 } }
        budget: { samples: 40 }
        validation: { topic: topics.validation, metrics: { classify.topic: exact } }
        models: [gpt-5-mini, gpt-4.1-mini, gpt-4o-mini]
        ordering: none
        """
            .formatted(
                JSON.textNode("Name the topic of the letter. The handbook:\n" + handbook), topics));
    List<String> documents = new ArrayList<>();
    List<String> examples = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS + EXAMPLES; i++) {
      String evidence = "This letter number %d is about %s.".formatted(i, topic(i));
      ObjectNode letter =
          JSON.objectNode().put("id", "l" + i).put("text", text(DOCUMENT_CHARACTERS) + evidence);
      ObjectNode label = JSON.objectNode().put("topic", topic(i));
      if (i < DOCUMENTS) {
        documents.add(letter.toString());
      } else {
        ObjectNode example = JSON.objectNode().put("id", "l" + i).put("source", "letters");
        example.set("document", letter);
        example.putObject("labels").set("classify", label);
        examples.add(example.toString());
      }
      ObjectNode answer = JSON.objectNode().put("id", "l" + i);
      answer.set("document", letter);
      answer.set("answers", label);
      answer.putObject("evidence").putArray("topic").add(evidence);
      answers.add(answer.toString());
    }
    Files.write(folder.resolve("documents.jsonl"), documents);
    Files.write(folder.resolve("validation.jsonl"), examples);
    Files.write(folder.resolve("answers.jsonl"), answers);
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void thePromiseIsTheBill() throws IOException {
    write();
    Run run =
        Run.of(
            "run",
            file("program.yaml"),
            "--local",
            "--documents",
            file("documents.jsonl"),
            "--validation",
            file("validation.jsonl"),
            "--answers",
            file("answers.jsonl"),
            "--results",
            file("results.jsonl"),
            "--speed",
            "20",
            "-X",
            "abacus.in.flight=1",
            "-o",
            "json");
    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode summary = JsonMapper.builder().build().readTree(run.out());
    double bill = summary.path("costPerDocumentUsd").asDouble();
    double promised = summary.at("/plan/promise/cost/mean").asDouble();
    assertThat(promised)
        .as("promised, with %s", summary.at("/plan/plan/operators"))
        .isCloseTo(bill, withinPercentage(5));
  }
}
