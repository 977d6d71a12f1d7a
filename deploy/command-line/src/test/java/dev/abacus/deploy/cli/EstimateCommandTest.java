package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.cli.report.PlanReport;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Spread;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.SemanticFilter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EstimateCommandTest {

  private static final String SAMPLE = "../examples/support-triage/";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String PROGRAM =
      """
      program: triage
      sources: { messages: { topic: in } }
      references: { policies: { topic: policies, key: id } }
      operators:
        - filter: is-problem
          condition: Something went wrong.
          reads: [text]
      results: { topic: out }
      objective: minimize cost
      models: [gpt-4o, gpt-4.1-nano]
      """;

  @TempDir Path folder;

  private String file(String name, String content) throws Exception {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  private String documents(int count) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append("{\"id\": \"%d\", \"text\": \"The parcel has not come.\"}\n".formatted(i));
    }
    return file("documents-" + count + ".jsonl", lines.toString());
  }

  private JsonNode estimate(String program, int documents, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "estimate",
                file("program.yaml", program),
                "--documents",
                documents(documents),
                "-o",
                "json"));
    arguments.addAll(List.of(more));
    Run run = Run.of(arguments.toArray(String[]::new));
    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isZero();
    return JSON.readTree(run.out());
  }

  @Test
  void withoutAnyKnowledgeThePriceIsThatOfTheTokensOfThePrompts() throws Exception {
    JsonNode answer = estimate(PROGRAM, 10);

    assertThat(answer.path("restsOn").asText()).isEqualTo("prices");
    assertThat(answer.path("because").toString()).contains("nothing was measured");
    JsonNode tokens = answer.at("/tokensPerDocument/is-problem");
    assertThat(tokens.path("calls").asDouble()).isEqualTo(1);
    assertThat(tokens.path("input").asDouble())
        .as("instructions, schema, text")
        .isBetween(50., 800.);
    JsonNode cheapest = answer.at("/plans/0");
    assertThat(cheapest.path("for").asText()).isEqualTo("minimize cost");
    assertThat(cheapest.at("/operators/0/physical").asText())
        .isEqualTo("model-selection(gpt-4.1-nano)");
    // 0.1 and 0.4 USD per million tokens.
    double expected =
        (tokens.path("input").asDouble() * 0.1 + tokens.path("output").asDouble() * 0.4) / 1e6;
    assertThat(cheapest.path("usd").asDouble()).isCloseTo(10 * expected, within(1e-9));
    JsonNode best = answer.at("/plans/1");
    assertThat(best.path("for").asText()).isEqualTo("maximize quality");
    assertThat(best.path("usd").asDouble()).isGreaterThan(cheapest.path("usd").asDouble());
  }

  @Test
  void documentsThatCodeDropsCostNothing() throws Exception {
    String half = PROGRAM.replace("    reads:", "    where: int(doc.id) < 5\n    reads:");

    assertThat(estimate(half, 10).at("/plans/0/usd").asDouble())
        .isCloseTo(estimate(PROGRAM, 10).at("/plans/0/usd").asDouble() / 2, withPercentage(1));
    assertThat(estimate(half.replace("< 5", "< 0"), 10).at("/plans/0/usd").asDouble()).isZero();
  }

  @Test
  void aFilterInCodeCostsNothingAndSavesWhatComesBehindIt() throws Exception {
    String behind =
        PROGRAM.replace("operators:", "operators:\n  - filter: few\n    where: int(doc.id) < 5");

    JsonNode answer = estimate(behind, 10);
    assertThat(answer.path("tokensPerDocument").has("few")).isFalse();
    assertThat(answer.at("/plans/0/usd").asDouble())
        .isCloseTo(estimate(PROGRAM, 10).at("/plans/0/usd").asDouble() / 2, withPercentage(1));
  }

  @Test
  void twiceTheDocumentsCostTwiceAsMuch() throws Exception {
    double once = estimate(PROGRAM, 150).at("/plans/0/usd").asDouble();
    double twice = estimate(PROGRAM, 300).at("/plans/0/usd").asDouble();

    assertThat(twice).isCloseTo(2 * once, within(1e-9));
  }

  @Test
  void theSampleProgramIsPricedInWordsWithWhatThePriceRestsOn() {
    Run run =
        Run.of("estimate", SAMPLE + "program.yaml", "--documents", SAMPLE + "documents.jsonl");

    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .contains("support-triage, 132 documents", "minimize cost", "The price rests on:")
        .contains("no document dropped by a filter")
        .contains("the search for a plan costs extra: 150 samples")
        .doesNotContain("NOT PRICED");
  }

  @Test
  void whatCannotBeForecastIsNamedAndNotInThePrice() throws Exception {
    String joined =
        PROGRAM.replace(
            "results:",
            """
              - join: policy
                with: policies
                condition: The policy answers the message.
                reads: [text]
              - aggregate: daily
                by: [id]
                window: { tumbling: 1h }
                compute: { n: count }
              - map: title
                instruction: Give it a title.
                reads: [n]
                writes: { title: string }
            results:
            """
                .stripTrailing());

    JsonNode answer = estimate(joined, 3);

    assertThat(answer.at("/notPriced/policy").asText()).contains("--reference");
    assertThat(answer.at("/notPriced/title").asText()).contains("how many groups 'daily' makes");
    assertThat(answer.path("notPriced").has("daily")).isFalse();
    assertThat(answer.at("/plans/0/usd").asDouble())
        .isEqualTo(estimate(PROGRAM, 3).at("/plans/0/usd").asDouble());
    String items =
        file("policies.jsonl", "{\"id\":\"a\",\"text\":\"A\"}\n{\"id\":\"b\",\"text\":\"B\"}\n");
    JsonNode withItems = estimate(joined, 3, "--reference", "policies=" + items);
    assertThat(withItems.path("notPriced").has("policy")).isFalse();
    assertThat(withItems.at("/tokensPerDocument/policy/calls").asDouble()).isEqualTo(2);
  }

  @Test
  void aJoinWithManyItemsIsCheapestAsOneChoice() throws Exception {
    String join = "  - join: policy\n    with: policies\n    condition: It answers the message.\n";
    StringBuilder items = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      items.append("{\"id\":\"p%d\",\"text\":\"Policy %d\"}\n".formatted(i, i));
    }

    JsonNode answer =
        estimate(
            PROGRAM.replace("results:", join + "results:"),
            3,
            "--reference",
            "policies=" + file("many.jsonl", items.toString()));
    assertThat(answer.at("/plans/0/operators").toString()).contains("choice-join(", "k=10");
    JsonNode tokens = answer.at("/tokensPerDocument/policy");
    assertThat(tokens.path("calls").asDouble()).isEqualTo(1_000);
    double nested =
        (tokens.path("input").asDouble() * 0.1 + tokens.path("output").asDouble() * 0.4) / 1e6;
    double others = estimate(PROGRAM, 3).at("/plans/0/usd").asDouble();
    assertThat(answer.at("/plans/0/usd").asDouble() - others).isLessThan(3 * nested / 100);
  }

  @Test
  void pairsThatCodeRejectsCostNothing() throws Exception {
    String join =
        """
          - join: policy
            with: policies
            condition: It answers.
            on: { id: of }
            where: item.id != 'p2'
        """;
    String items =
        file(
            "of.jsonl",
            """
            {"id": "p1", "of": "0", "text": "A"}
            {"id": "p2", "of": "0", "text": "B"}
            {"id": "p3", "of": "1", "text": "C"}
            """);

    JsonNode answer =
        estimate(
            PROGRAM.replace("results:", join + "results:"), 4, "--reference", "policies=" + items);
    assertThat(answer.at("/tokensPerDocument/policy/calls").asDouble()).isEqualTo(2.0 / 4);
  }

  @Test
  void estimatesOfImplementationsAreSearchedForTheBestPlan() throws Exception {
    String estimates =
        file(
            "estimates.json",
            """
            {"is-problem": [
              {"id": "a", "quality": 0.9, "cost": 0.02, "latency": 1, "selectivity": 0.5},
              {"id": "b", "quality": 0.5, "cost": 0.01, "latency": 1, "selectivity": 0.5}]}
            """);

    JsonNode answer =
        estimate(
            PROGRAM,
            100,
            "--estimates",
            estimates,
            "--objective",
            "minimize cost subject to quality >= 0.8");

    assertThat(answer.path("restsOn").asText()).isEqualTo("estimates");
    assertThat(answer.at("/plans/0/usd").asDouble()).isCloseTo(2.0, within(1e-9));
    assertThat(answer.at("/plans/1/for").asText()).isEqualTo("minimize cost");
    assertThat(answer.at("/plans/1/usd").asDouble()).isCloseTo(1.0, within(1e-9));
    assertThat(answer.at("/plans/2/operators/0/physical").asText()).isEqualTo("a");
  }

  private static PlanChoice choice(String model, double quality, double cost) {
    SemanticFilter filter =
        new SemanticFilter("is-problem", "messages", "Something went wrong.", List.of("text"));
    return new PlanChoice(
        List.of(new PlanStep(filter, new ModelSelection(model))), new Estimate(quality, cost, 1.5));
  }

  private static String plan(String program) {
    PlanChoice chosen = choice("gpt-4o", 0.9, 0.01);
    StepEstimate basis =
        new StepEstimate(
            12,
            Range.within(0.9, 0.8, 1.0, 0, 1),
            Range.within(0.01, 0.008, 0.012, 0, 1),
            Range.of(1.5),
            0.5);
    PhysicalPlan plan =
        new PhysicalPlan(
                program,
                7,
                chosen.with(new Spread(0.05, 0.001, 0.1, 40, 12, List.of(0.0, 0.0, 0.0))),
                ObjectiveParser.parse("maximize quality"),
                List.of(chosen, choice("gpt-4.1-nano", 0.5, 0.001)))
            .with(
                Map.of("is-problem", Map.of("model-selection(gpt-4o)", basis)),
                null,
                Standing.REQUIRED);
    return new String(
        dev.abacus.schemas.kafka.Json.write(PlanReport.json(plan, null)), StandardCharsets.UTF_8);
  }

  @Test
  void aKnownPlanIsPricedByItsEstimateWithItsInterval() throws Exception {
    JsonNode answer = estimate(PROGRAM, 1000, "--plan", file("plan.json", plan("triage")));

    assertThat(answer.path("restsOn").asText()).isEqualTo("plan");
    JsonNode chosen = answer.at("/plans/0");
    assertThat(chosen.path("for").asText()).isEqualTo("plan of epoch 7");
    assertThat(chosen.path("usd").asDouble()).isCloseTo(10, within(1e-9));
    assertThat(chosen.path("usdLow").asDouble()).isCloseTo(8, within(0.1));
    assertThat(chosen.path("usdHigh").asDouble()).isCloseTo(12, within(0.1));
    assertThat(answer.at("/plans/1/usd").asDouble()).isCloseTo(1, within(1e-9));
  }

  @Test
  void badInputIsRefusedInTwoLines() throws Exception {
    String program = file("program.yaml", PROGRAM);
    String documents = documents(2);
    String plan = file("plan.json", plan("another"));
    List<List<String>> commands =
        List.of(
            List.of(program),
            List.of(program, "--documents", file("empty.jsonl", "")),
            List.of(program, "--documents", file("bad.jsonl", "{\"id\": ")),
            List.of(program, "--documents", documents, "--plan", plan),
            List.of(program, "--documents", documents, "--plan", file("no.json", "[1]")),
            List.of(program, "--documents", documents, "--plan", folder + "/none.json"),
            List.of(program, "--documents", documents, "--estimates", file("e.json", "{}")),
            List.of(program, "--documents", documents, "--estimates", documents, "--plan", plan),
            List.of(program, "--documents", documents, "--objective", "maximize speed"),
            List.of(program, "--documents", "nowhere=" + documents));
    for (List<String> arguments : commands) {
      List<String> line = new ArrayList<>(List.of("estimate"));
      line.addAll(arguments);
      Run run = Run.of(line.toArray(String[]::new));
      assertThat(run.exit()).as("%s: %s", line, run.err()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.errorLines()).as("%s", line).hasSize(2);
    }
  }
}
