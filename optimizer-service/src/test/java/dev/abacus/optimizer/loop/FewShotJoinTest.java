package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.WithExamples;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.PairCondition;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.StreamJoin;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Labelled pairs in the prompts of a join, which is better with them than without. */
class FewShotJoinTest {

  private static final int BUDGET = 60;
  private static final int ITEMS = 12;
  private static final List<PhysicalOperator> ARMS =
      List.of(
          new NestedLoopsJoin("m0"),
          new NestedLoopsJoin("m1"),
          new NestedLoopsJoin("m0", null, 4, null),
          new NestedLoopsJoin("m1", null, 4, null));
  private static final ReferenceJoin JOIN =
      new ReferenceJoin(
          "pair",
          "messages",
          "items",
          "They fit.",
          PairCondition.NONE,
          List.of("text"),
          JoinKind.LEFT,
          "fits",
          true);

  private static TestRun search() {
    Program program = program(JOIN);
    return search(
        new Program(
            program.name(),
            program.sources(),
            List.of(new Program.Reference("items", "items", Format.JSON, "id", List.of())),
            program.operators(),
            program.results(),
            program.settings()));
  }

  private static Program program(LogicalOperator operator) {
    return TestPrograms.of("maximize quality", new SampleBudget.Invocations(BUDGET), operator);
  }

  private static TestRun search(Program program) {
    LoopSettings settings =
        LoopSettings.builder(
                3,
                priors -> PolicyName.SURROGATE.create(3, BUDGET, priors),
                _ -> Map.of("pair", ARMS),
                ModelCatalogue.of(List.of()))
            .build();
    return new TestRun(FewShotJoinTest::observed, 1, settings).program(program);
  }

  private static Observation observed(SampleTask task) {
    double scatter = 0.1 * (TestWorld.unit(5, task.id()) - 0.5);
    boolean shows = task.physical().examples() > 0;
    return TestWorld.observation(task, Outcome.KEPT, (shows ? 0.9 : 0.6) + scatter, 0.001, 1);
  }

  /** Each document has the items of its number and of the next one. */
  private static void examples(TestRun run, int number) {
    for (int i = 0; i < number; i++) {
      ArrayNode label = JsonNodeFactory.instance.arrayNode();
      label.add("item-" + i % ITEMS).add("item-" + (i + 1) % ITEMS);
      run.tell(
          new LoopEvent.ExampleSet(
              new ValidationExample(
                  "e" + i,
                  "messages",
                  Document.empty()
                      .with("text", JsonNodeFactory.instance.textNode("text number " + i)),
                  Map.of("pair", label))));
    }
  }

  private static Set<String> itemsOf(String exampleId) {
    int number = Integer.parseInt(exampleId.substring(1));
    return Set.of("item-" + number % ITEMS, "item-" + (number + 1) % ITEMS);
  }

  private static List<SolvedExample> shown(PhysicalOperator physical) {
    return Objects.requireNonNull(((WithExamples) physical).shown());
  }

  @Test
  void promptsShowMatchesAndOtherPairsOfDifferentDocumentsAndItems() {
    TestRun run = search();
    examples(run, 60);
    run.finish();

    PhysicalOperator chosen = run.activePlan().steps().getFirst().physical();
    assertThat(chosen.id()).startsWith("nested-loops-join(").endsWith(",k=4)");
    List<SolvedExample> pairs = shown(chosen);
    assertThat(pairs).as("one more, because no prompt shows its own item").hasSize(5);
    assertThat(pairs).extracting(SolvedExample::id).doesNotHaveDuplicates();
    assertThat(pairs).extracting(SolvedExample::item).doesNotHaveDuplicates();
    assertThat(pairs).extracting(SolvedExample::matches).contains(true, false);
    assertThat(pairs)
        .as("labels are right")
        .allMatch(pair -> itemsOf(pair.id()).contains(pair.item()) == pair.matches());

    run.restart().decide();
    assertThat(run.activePlan().steps().getFirst().physical()).isEqualTo(chosen);
  }

  @Test
  void noPromptShowsAPairOfTheDocumentThatIsMeasured() {
    TestRun run = search();
    examples(run, 12);
    run.finish();

    List<SampleTask> showing =
        run.issued.stream().filter(task -> task.physical().examples() > 0).toList();
    Set<String> everShown = new HashSet<>();
    for (SampleTask task : showing) {
      assertThat(shown(task.physical()))
          .hasSize(5)
          .noneMatch(pair -> pair.id().equals(task.exampleId()))
          .noneMatch(pair -> pair.input().equals(task.input()));
      shown(task.physical()).forEach(pair -> everShown.add(pair.id()));
    }
    assertThat(showing).anyMatch(task -> everShown.contains(task.exampleId()));
  }

  private static Document document(String text, int group) {
    return Document.empty()
        .with("text", JsonNodeFactory.instance.textNode(text))
        .with("group", JsonNodeFactory.instance.numberNode(group));
  }

  /** Orders and shipments of six groups; an order has one shipment, of two of its group. */
  @Test
  void pairsOfStreamsAreThoseOfEqualKeysAndNotOfTheMeasuredOrder() {
    Program program =
        program(
            new StreamJoin(
                "pair",
                "messages",
                "shipments",
                Duration.ofMinutes(10),
                "group",
                "It answers the order.",
                List.of("text"),
                JoinKind.INNER,
                "shipment",
                null));
    TestRun run =
        search(
            new Program(
                program.name(),
                List.of(
                    program.sources().getFirst(),
                    new Program.Source("shipments", "shipments", Format.JSON, "id")),
                program.references(),
                program.operators(),
                program.results(),
                program.settings()));
    for (int i = 0; i < 24; i++) {
      run.tell(
          new LoopEvent.ExampleSet(
              new ValidationExample(
                  "s" + i, "shipments", document("shipment " + i, i % 6), Map.of())));
      run.tell(
          new LoopEvent.ExampleSet(
              new ValidationExample(
                  "e" + i,
                  "messages",
                  document("order " + i, i % 6),
                  Map.of("pair", JsonNodeFactory.instance.arrayNode().add("s" + i)))));
    }
    run.finish();

    List<SampleTask> showing =
        run.issued.stream().filter(task -> task.physical().examples() > 0).toList();
    assertThat(showing).isNotEmpty();
    for (SampleTask task : showing) {
      assertThat(shown(task.physical()))
          .hasSize(5)
          .noneMatch(pair -> pair.id().equals(task.exampleId()))
          .allSatisfy(pair -> {
            int order = Integer.parseInt(pair.id().substring(1));
            Document right = Objects.requireNonNull(pair.right());
            assertThat(pair.input().fieldNames()).containsExactly("text");
            assertThat(right.get("group").asInt()).isEqualTo(order % 6);
            assertThat(pair.matches())
                .isEqualTo(right.get("text").asText().equals("shipment " + order));
          });
      assertThat(shown(task.physical())).extracting(SolvedExample::matches).contains(true, false);
      assertThat(shown(task.physical())).extracting(SolvedExample::right).doesNotHaveDuplicates();
    }
  }

  @Test
  void labelsOfOneKindOrTooFewAreNotShown() {
    TestRun few = search();
    examples(few, 5);
    few.finish();
    assertThat(few.issued).isNotEmpty().allMatch(task -> task.physical().examples() == 0);

    TestRun none = search();
    for (int i = 0; i < 20; i++) {
      none.tell(
          new LoopEvent.ExampleSet(
              new ValidationExample(
                  "e" + i,
                  "messages",
                  Document.empty().with("text", JsonNodeFactory.instance.textNode("t" + i)),
                  Map.of("pair", JsonNodeFactory.instance.arrayNode()))));
    }
    none.finish();
    assertThat(none.issued).isNotEmpty().allMatch(task -> task.physical().examples() == 0);
  }
}
