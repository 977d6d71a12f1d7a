package dev.abacus.deploy.evaluation.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.evaluation.dataset.PublicDataset;
import dev.abacus.deploy.evaluation.dataset.SharedData;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.api.SearchSpace;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.random.RandomSampling;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.execution.PlanOutcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A join as one choice costs a tenth of nested loops with the same model at most, and the search
 * knows: simulated models at the prices of the catalogue. Promises are those of samples,
 * measurements those of other documents.
 */
class ChoiceJoinPromiseTest {

  private static final ModelCatalogue CATALOGUE = ModelCatalogue.builtIn();
  private static final String MATCH = "match";
  private static final List<Integer> SIZES = List.of(10, 30, 100);

  private static final int SAMPLES = 60;

  @TempDir private Path folder;

  /** The mean F1 with half of its 95 % interval, and USD per document. */
  private record Measured(double quality, double error, double usd) {}

  /** A program of one join, and the documents on which it is sampled and measured. */
  private record Bench(
      Program program,
      BenchmarkDataPlane dataPlane,
      List<ValidationExample> search,
      List<ValidationExample> fresh) {

    Measured live(PhysicalOperator physical) throws InterruptedException {
      double[] scores = new double[fresh.size()];
      double usd = 0;
      for (int i = 0; i < scores.length; i++) {
        ValidationExample document = fresh.get(i);
        PlanOutcome outcome =
            dataPlane.run(
                List.of(new PlanStep(program.operators().getFirst(), physical)), document);
        usd += outcome.stats().cost();
        scores[i] = f1(outcome, Objects.requireNonNull(document.label(MATCH)));
      }
      MeanAndDeviation mean = MeanAndDeviation.of(scores);
      return new Measured(
          mean.mean(), 1.96 * mean.deviation() / Math.sqrt(scores.length), usd / scores.length);
    }

    private double f1(PlanOutcome outcome, JsonNode label) {
      assertThat(outcome).isInstanceOf(PlanOutcome.Result.class);
      String key = program.references().getFirst().key();
      Set<String> right = new HashSet<>();
      label.forEach(name -> right.add(name.asText()));
      Set<String> found = new HashSet<>();
      ((PlanOutcome.Result) outcome)
          .documents()
          .getFirst()
          .get("found")
          .forEach(item -> found.add(item.path(key).asText()));
      Set<String> both = new HashSet<>(right);
      both.retainAll(found);
      return right.size() + found.size() == 0
          ? 1
          : 2.0 * both.size() / (right.size() + found.size());
    }

    /** A report with the reactions that a model finds in it. */
    ValidationExample summarized(ObjectNode answer) throws InterruptedException {
      ValidationExample report =
          new ValidationExample(
              answer.path("id").asText(),
              "reports",
              Document.of((ObjectNode) answer.path("document")),
              Map.of(MATCH, answer.at("/answers/reactions")));
      PlanOutcome found =
          dataPlane.run(List.of(new PlanStep(SUMMARY, new ModelSelection("gpt-4.1"))), report);
      List<String> reactions = new ArrayList<>();
      ((PlanOutcome.Result) found)
          .documents()
          .getFirst()
          .get("reactions")
          .forEach(one -> reactions.add(one.asText()));
      return new ValidationExample(
          report.id(),
          report.source(),
          report
              .document()
              .with(
                  "summary",
                  JsonNodeFactory.instance.textNode(
                      "Experienced: " + String.join(", ", reactions) + ".")),
          report.labels());
    }

    /** What samples say of an implementation, without the others. */
    StepEstimate promise(PhysicalOperator physical) throws InterruptedException {
      PhysicalPlan plan =
          plan(
              program.withBudget(new SampleBudget.Invocations(search.size()), null),
              LoopSettings.builder(
                      0,
                      _ -> new RandomSampling(Reservoir.seeded(0), 1, search.size()),
                      _ -> Map.of(MATCH, List.of(physical)),
                      CATALOGUE)
                  .confirmation(Confirmation.NONE)
                  .build());
      return Objects.requireNonNull(
          Objects.requireNonNull(plan.basis().get(MATCH)).get(physical.id()));
    }

    /** The implementation that is chosen among all that the search space has. */
    PhysicalOperator chosen(String objective) throws InterruptedException {
      Program wanted =
          program
              .withObjective(ObjectiveParser.parse(objective))
              .withBudget(new SampleBudget.Invocations(SAMPLES), null);
      SearchSpace space = SearchSpace.of(wanted, CATALOGUE, List.of(BenchmarkDataPlane.EMBEDDER));
      return plan(
              wanted,
              LoopSettings.builder(
                      0,
                      priors -> PolicyName.SURROGATE.create(0, SAMPLES, priors),
                      _ -> Map.of(MATCH, space.of(MATCH)),
                      CATALOGUE)
                  .build())
          .steps()
          .getLast()
          .physical();
    }

    private PhysicalPlan plan(Program wanted, LoopSettings settings) throws InterruptedException {
      return Objects.requireNonNull(
          OfflineSearch.run(wanted, search, settings, dataPlane::sample).plan());
    }
  }

  private static Program program(String yaml) {
    try {
      return new ProgramParser(CATALOGUE).parse(yaml);
    } catch (InvalidTextException e) {
      throw new AssertionError(e);
    }
  }

  private Bench bench(
      Program program,
      List<ValidationExample> search,
      List<ValidationExample> fresh,
      List<Document> items)
      throws InterruptedException {
    return new Bench(
        program,
        BenchmarkDataPlane.of(
            program,
            Map.of(program.references().getFirst().name(), items),
            folder.resolve("answers.jsonl"),
            CATALOGUE),
        search,
        fresh);
  }

  private static final String WAREHOUSE =
      """
      program: orders
      sources: { orders: { topic: orders, key: id } }
      references: { things: { topic: things, key: id, embed: [name] } }
      operators:
        - join: match
          with: things
          condition: The message orders this thing.
          reads: [text]
          kind: left
          collect: found
      results: { topic: matched }
      models: [gpt-4.1-mini, gpt-4.1-nano]
      judge: o4-mini
      """;

  private static final List<String> COLOURS =
      List.of(
          "red", "blue", "green", "yellow", "white", "black", "grey", "brown", "pink", "violet");
  private static final List<String> MATERIALS =
      List.of(
          "oak", "steel", "glass", "cotton", "leather", "marble", "paper", "copper", "clay",
          "wool");
  private static final List<String> THINGS =
      List.of(
          "table", "lamp", "chair", "box", "shelf", "carpet", "basket", "bowl", "frame", "blanket");

  private static String name(int item) {
    return "%s %s %s"
        .formatted(COLOURS.get(item / 100), MATERIALS.get(item / 10 % 10), THINGS.get(item % 10));
  }

  /** Each order names one to three of the items. */
  private static ValidationExample order(int number) {
    SplittableRandom random = new SplittableRandom(number);
    StringBuilder text =
        new StringBuilder(
            "Order %d of the hotel at the harbour, room %d: please deliver"
                .formatted(number, random.nextInt(900)));
    ArrayNode label = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i <= number % 3; i++) {
      int item = random.nextInt(1_000);
      text.append(i == 0 ? " a " : ", also a ").append(name(item));
      label.add("t" + item);
    }
    return new ValidationExample(
        "o" + number,
        "orders",
        Document.empty()
            .with("id", JsonNodeFactory.instance.textNode("o" + number))
            .with("text", JsonNodeFactory.instance.textNode(text + ", before the end of week.")),
        Map.of(MATCH, label));
  }

  private static ObjectNode answer(ValidationExample order) {
    ObjectNode line = JsonNodeFactory.instance.objectNode().put("id", order.id());
    line.set("document", order.document().toJson());
    line.putObject("conditions")
        .set("The message orders this thing.", Objects.requireNonNull(order.label(MATCH)));
    line.putObject("difficulty").put("The message orders this thing.", 0.2);
    return line;
  }

  @Test
  void aThousandItemsCostATenthAtMostAndTheOptimizerKnows() throws Exception {
    List<ValidationExample> orders = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      orders.add(order(i));
    }
    List<Document> things = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      things.add(
          Document.empty()
              .with("id", JsonNodeFactory.instance.textNode("t" + i))
              .with("name", JsonNodeFactory.instance.textNode(name(i))));
    }
    JsonLines.write(
        folder.resolve("answers.jsonl"), orders.stream().map(ChoiceJoinPromiseTest::answer));
    Bench bench = bench(program(WAREHOUSE), orders.subList(0, 30), orders.subList(30, 50), things);

    for (String model : bench.program().models()) {
      Measured nested = bench.live(new NestedLoopsJoin(model));
      boolean pays = false;
      for (int k : SIZES) {
        ChoiceJoin choice = new ChoiceJoin(model, BenchmarkDataPlane.EMBEDDER, k);
        Measured one = bench.live(choice);
        StepEstimate promise = bench.promise(choice);
        assertThat(holds(promise.quality(), one)).as("%s %s", choice, promise).isTrue();
        assertThat(promise.cost().mean()).isBetween(0.9 * one.usd(), 1.1 * one.usd());
        pays |= one.usd() < nested.usd() / 10 && one.quality() + one.error() >= nested.quality();
      }
      assertThat(pays).as(model).isTrue();
    }
    assertThat(bench.chosen("minimize cost subject to quality >= 0.7"))
        .isInstanceOf(ChoiceJoin.class);
  }

  private static final String EXPERIENCED = "The patient of the report experienced this reaction.";

  private static final String REPORTS =
      """
      program: reactions
      sources: { reports: { topic: reports, key: id } }
      references: { terms: { topic: terms, key: label, embed: [label] } }
      operators:
        - join: match
          with: terms
          condition: The patient of the report experienced this reaction.
          reads: [text, summary]
          kind: left
          collect: found
      results: { topic: matched }
      models: [gpt-4.1-mini]
      judge: o4-mini
      """;

  /** The reactions as a model names them in a sentence: what a map before the join would write. */
  private static final SemanticMap SUMMARY =
      new SemanticMap(
          "extract",
          "reports",
          "List the adverse reactions of the patient, each as short as possible.",
          List.of("text"),
          List.of(
              new Field(
                  "reactions",
                  new FieldType.ListType(new FieldType.StringType(List.of())),
                  "",
                  false)),
          SemanticMap.Cardinality.ONE);

  /** Live nested loops over all terms would take an hour here; they count as their samples say. */
  @Test
  void theVocabularyOfReactionsCostsATenthAtMost() throws Exception {
    Path biodex = SharedData.folder("biodex");
    assumeThat(biodex).as("no shared data").exists();
    PublicDataset.BIODEX.read(biodex).writeTo(folder);
    List<ObjectNode> answers = new ArrayList<>();
    for (JsonLines.Line line : JsonLines.read(folder.resolve("answers.jsonl"))) {
      ObjectNode answer = line.object().toJson();
      ((ObjectNode) answer.path("conditions")).set(EXPERIENCED, answer.at("/answers/reactions"));
      ((ObjectNode) answer.path("difficulty")).set(EXPERIENCED, answer.at("/difficulty/reactions"));
      answers.add(answer);
    }
    JsonLines.write(folder.resolve("answers.jsonl"), answers.stream());
    List<Document> terms =
        JsonLines.read(folder.resolve("terms.jsonl")).stream().map(JsonLines.Line::object).toList();
    Bench models = bench(program(REPORTS), List.of(), List.of(), terms);
    List<ValidationExample> reports = new ArrayList<>();
    for (ObjectNode answer : answers) {
      reports.add(models.summarized(answer));
    }
    Bench bench =
        new Bench(
            models.program(),
            models.dataPlane(),
            reports.subList(0, 24),
            reports.subList(24, reports.size()));

    for (String model : bench.program().models()) {
      StepEstimate nested = bench.promise(new NestedLoopsJoin(model));
      boolean pays = false;
      for (int k : SIZES) {
        ChoiceJoin choice = new ChoiceJoin(model, BenchmarkDataPlane.EMBEDDER, k);
        Measured one = bench.live(choice);
        StepEstimate promise = bench.promise(choice);
        assertThat(holds(promise.quality(), one)).as("%s %s", choice, promise).isTrue();
        pays |=
            one.usd() < nested.cost().mean() / 10
                && one.quality() + one.error() >= Objects.requireNonNull(nested.quality().low());
      }
      assertThat(pays).as(model).isTrue();
    }
  }

  /** Whether the intervals of a promise and a measurement meet. */
  private static boolean holds(Range promised, Measured live) {
    return live.quality() + live.error() >= Objects.requireNonNull(promised.low())
        && live.quality() - live.error() <= Objects.requireNonNull(promised.high());
  }
}
