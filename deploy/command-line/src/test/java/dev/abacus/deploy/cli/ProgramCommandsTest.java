package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramCommandsTest {

  private static final String SAMPLE = "../examples/support-triage/program.yaml";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  private String file(String name, String content) throws Exception {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  @Test
  void theSampleProgramIsValid() {
    Run run = Run.of("validate", SAMPLE);

    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("support-triage").contains("4 operators (3 semantic)");
  }

  @Test
  void theContractProgramIsValidAndAsksFor41Fields() throws Exception {
    Run run = Run.of("explain", "../examples/contract-extraction/program.yaml", "-o", "json");

    assertThat(run.exit()).isZero();
    assertThat(JSON.readTree(run.out()).at("/operators/0/writes")).hasSize(41);
  }

  @Test
  void everyMistakeIsToldWithItsFileAndLine() throws Exception {
    String program =
        file(
            "bad.yaml",
            """
            program: Bad Name
            sources:
              messages: { topic: t }
            operators:
              - filter: is-problem
                conditon: Something went wrong.
            results: { topic: r }
            """);

    Run run = Run.of("validate", program);

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains(program + ", line 1").contains("did you mean 'condition'");
    assertThat(run.errorLines()).allMatch(line -> !line.contains("Exception"));
  }

  @Test
  void aFieldThatNoDocumentHasIsToldBeforeItCosts() throws Exception {
    String documents =
        file("d.jsonl", "{\"id\": \"a\", \"texts\": \"x\"}\n{\"id\": \"b\", \"note\": \"y\"}\n");

    Run run = Run.of("validate", SAMPLE, "--documents", documents);
    Run json = Run.of("validate", SAMPLE, "--documents", documents, "-o", "json");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .contains("no document has the field 'text', which 'classify' reads; did you mean 'texts'?")
        .contains("which 'is-problem' reads");
    assertThat(json.exit()).isEqualTo(2);
    assertThat(JSON.readTree(json.out()).at("/problems/0/message").asText()).contains("'text'");
  }

  @Test
  void topicsThatApplyWouldRefuseAreToldBefore() throws Exception {
    String program = Files.readString(Path.of(SAMPLE));
    String cyclic = file("p.yaml", program.replace("support.triaged", "support.messages"));
    String documents = file("d.jsonl", "{\"id\": \"a\", \"text\": \"x\"}\n");

    Run text = Run.of("validate", cyclic);
    Run json = Run.of("validate", cyclic, "-o", "json");
    Run run = Run.of("run", cyclic, "--local", "--documents", documents, "--results", documents);

    assertThat(text.exit()).isEqualTo(2);
    assertThat(text.err()).contains("results go to the source topic");
    assertThat(json.exit()).isEqualTo(2);
    assertThat(JSON.readTree(json.out()).at("/problems/0/message").asText())
        .contains("results go to the source topic");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("results go to the source topic");
  }

  @Test
  void repeatedKeysAreRemarkedOn() throws Exception {
    String documents =
        file("d.jsonl", "{\"id\": \"a\", \"text\": \"x\"}\n{\"id\": \"a\", \"text\": \"y\"}\n");

    Run run = Run.of("validate", SAMPLE, "--documents", documents);

    assertThat(run.exit()).isZero();
    assertThat(run.err()).contains("keys of 'messages' that occur more than once: 1, such as 'a'");
  }

  @Test
  void aFileWithoutDocumentsIsNamed() throws Exception {
    Run run = Run.of("validate", SAMPLE, "--documents", file("none.jsonl", "\n"));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("there is no document in the files of --documents");
  }

  @Test
  void aBudgetThatLeavesOperatorsWithAFewSamplesIsRemarkedBeforeTheSearch() throws Exception {
    String program = Files.readString(Path.of(SAMPLE));
    String small = file("p.yaml", program.replace("samples: 150", "samples: 40"));

    assertThat(Run.of("validate", small).err())
        .contains(
            "a budget of 40 samples for 3 operators is about 13 for each",
            "`budget: { samples: 150 }`");
    assertThat(Run.of("validate", SAMPLE).err()).doesNotContain("a budget of");
  }

  @ParameterizedTest
  @CsvSource({
    "stauts, unknown word",
    "validate x.yaml --document f.jsonl, unknown option",
    "stauts, Did you mean `status`?",
    "validate x.yaml --document f.jsonl, Did you mean `--documents`?",
    "plan lst, Did you mean `list`?",
    "run x.yaml --locl, Did you mean `--local`?"
  })
  void aMisspeltCommandOrOptionGetsASuggestion(String words, String suggestion) {
    Run run = Run.of(words.split(" "));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains(suggestion);
  }

  @ParameterizedTest
  @ValueSource(strings = {"budget p --clear --samples 3", "objective p --clear minimize\u00a0cost"})
  void whatIsClearedIsNotSetAtTheSameTime(String words) {
    Run run = Run.of(words.replace(' ', '\n').replace('\u00a0', ' ').split("\n", -1));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--clear cannot be combined");
  }

  @Test
  void mistakesAsJson() throws Exception {
    Run run = Run.of("validate", file("bad.yaml", "program: x\n"), "-o", "json");

    JsonNode answer = JSON.readTree(run.out());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(answer.path("valid").asBoolean(true)).isFalse();
    assertThat(answer.at("/problems/0/line").asInt()).isPositive();
    assertThat(answer.at("/problems/0/message").asText()).isNotEmpty();
  }

  @Test
  void naivePriorsAreMadeForEveryImplementationWithAModel() throws Exception {
    String made = folder.resolve("priors.json").toString();

    assertThat(Run.of("priors", SAMPLE, "--naive", "--file", made).exit()).isZero();

    JsonNode priors = JSON.readTree(folder.resolve("priors.json").toFile());
    assertThat(priors.size()).isPositive();
    priors.forEach(byId -> {
      assertThat(byId.size()).isGreaterThan(10);
      byId.forEach(one -> assertThat(one.path("quality").asDouble()).isBetween(0.3, 1.0));
    });
  }

  @Test
  void priorsFromSamplesAreTheMeansOfWhatWasObserved() throws Exception {
    String line =
        """
        {"taskId": "t%d", "program": "support-triage", "operator": "is-problem", "physical": "model-selection(gpt-4o)", "exampleId": "e%d", "outcome": "KEPT", "outputs": [{}], "quality": %s, "scoredBy": "LABEL", "cost": 0.002, "latency": 1, "judgeCost": 0}
        """;
    String observations =
        file("observations.jsonl", line.formatted(1, 1, "1.0") + line.formatted(2, 2, "0.5"));

    Run run = Run.of("priors", SAMPLE, "--from-samples", observations);

    assertThat(run.err()).isEmpty();
    assertThat(JSON.readTree(run.out()).at("/is-problem/model-selection(gpt-4o)/quality"))
        .hasToString("0.75");
  }

  @Test
  void badPriorsAreRefusedByKeyAndReasonBeforeAnythingHappens() throws Exception {
    for (String bad :
        List.of(
            "{\"is-problem\": {\"model-selection(gpt-4o)\": {\"quality\": 1.5, \"cost\": 1, \"latency\": 1}}}",
            "{\"is-problem\": {\"model-selection(gpt-4o)\": {\"quality\": NaN, \"cost\": 1, \"latency\": 1}}}",
            "{\"is-problem\": {\"model-selection(gpt-4o)\": {\"quality\": 0.5, \"cost\": -1, \"latency\": 1}}}",
            "{\"nobody\": {}}")) {
      String priors = file("bad.json", bad);
      Run given = Run.of("priors", SAMPLE, "--give", priors);
      assertThat(given.exit()).as(bad).isEqualTo(2);
      assertThat(given.err()).contains(priors);
      Run run =
          Run.of(
              "run",
              SAMPLE,
              "--local",
              "--documents",
              "none.jsonl",
              "--results",
              "r.jsonl",
              "--priors",
              priors);
      assertThat(run.exit()).as(bad).isEqualTo(2);
    }
  }

  @Test
  void aMissingFileIsInvalidInput() {
    Run run = Run.of("validate", "no-such-file.yaml");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errorLines())
        .containsExactly("error: no such file: no-such-file.yaml", "Check the path.");
  }

  @Test
  void theSearchSpaceIsCountedPerOperatorAndRule() throws Exception {
    Run run = Run.of("explain", SAMPLE, "--search-space", "-o", "json");

    JsonNode classify = JSON.readTree(run.out()).at("/operators/0");
    int counted = 0;
    for (JsonNode rule : classify.path("rules")) {
      counted += rule.asInt();
    }
    assertThat(classify.path("id").asText()).isEqualTo("classify");
    assertThat(classify.at("/rules/ImplementWithModelSelection").asInt()).isEqualTo(6);
    assertThat(classify.path("implementations").asInt()).isEqualTo(counted);
  }

  @Test
  void theSearchSpaceAsText() {
    Run run = Run.of("explain", SAMPLE, "--search-space");

    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("ImplementWithModelSelection").contains("combinations");
  }

  @Test
  void aSearchAnswersWithTheChosenPlanAndItsFrontier() throws Exception {
    Run run = search("maximize quality", "-o", "json");

    JsonNode answer = JSON.readTree(run.out());
    assertThat(run.exit()).isZero();
    assertThat(answer.path("feasible").asBoolean()).isTrue();
    assertThat(answer.at("/chosen/quality").asDouble()).isEqualTo(0.9);
    assertThat(answer.path("frontier")).isNotEmpty();
    assertThat(answer.at("/statistics/groups").isNumber()).isTrue();
  }

  @Test
  void aSearchAsText() throws Exception {
    Run run = search("minimize cost subject to quality >= 0.99");

    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("cannot be met").contains("quality missed by");
  }

  @Test
  void anObjectiveThatIsNoneIsInvalid() throws Exception {
    Run run = search("maximize cost");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("'maximize cost' makes no sense");
  }

  @Test
  void estimatesOfAnUnknownOperatorAreInvalid() throws Exception {
    Run run =
        Run.of("search", "--program", oneMap(), "--estimates", file("e.json", "{\"nope\": []}"));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("'nope' is no operator");
  }

  private Run search(String objective, String... more) throws Exception {
    String estimates =
        file(
            "e.json",
            """
            {"classify": [
              {"id": "good", "quality": 0.9, "cost": 0.01, "latency": 2},
              {"id": "cheap", "quality": 0.6, "cost": 0.001, "latency": 1}]}
            """);
    List<String> words =
        new ArrayList<>(
            List.of(
                "search",
                "--program",
                oneMap(),
                "--estimates",
                estimates,
                "--objective",
                objective));
    words.addAll(List.of(more));
    return Run.of(words.toArray(String[]::new));
  }

  private String oneMap() throws Exception {
    return file(
        "p.yaml",
        """
        program: one
        sources:
          messages: { topic: t }
        operators:
          - map: classify
            instruction: Which intent?
            reads: [text]
            writes: { intent: { type: string } }
        results: { topic: r }
        """);
  }
}
