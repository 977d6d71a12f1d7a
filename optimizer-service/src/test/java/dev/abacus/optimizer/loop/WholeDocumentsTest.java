package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.HeadAndTail;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.ReducedContext;
import dev.abacus.schemas.plan.SplitAndMerge;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Techniques that read parts of a document are model selection where documents are short. */
class WholeDocumentsTest {

  private static final String ALL =
      "head-and-tail, model-selection, reduced-context, split-and-merge";

  private static Map<String, List<PhysicalOperator>> space(Program program) {
    List<PhysicalOperator> arms =
        Stream.of("m0", "m1", "m2")
            .<PhysicalOperator>flatMap(model ->
                Stream.of(
                    new ModelSelection(model),
                    new HeadAndTail(model, 1_280),
                    new SplitAndMerge(model, 1_280, model),
                    new ReducedContext(model, "e", 1_280, 1)))
            .toList();
    Map<String, List<PhysicalOperator>> space = new HashMap<>();
    program.semanticOperators().forEach(operator -> space.put(operator.id(), arms));
    return space;
  }

  private static TestRun search(LogicalOperator... operators) {
    LoopSettings settings =
        LoopSettings.builder(
                7,
                priors -> PolicyName.SURROGATE.create(7, 1, priors),
                WholeDocumentsTest::space,
                ModelCatalogue.of(List.of()))
            .build();
    return new TestRun(TestRun.WORLD, 7, settings)
        .program(
            TestPrograms.of(
                "maximize quality",
                new SampleBudget.Invocations(60 * operators.length),
                operators));
  }

  /** Names of the techniques that were sampled for an operator. */
  private static String sampled(TestRun run, String operator) {
    Set<String> techniques =
        run.issued.stream()
            .filter(task -> task.operator().id().equals(operator))
            .map(task -> task.physical().id().replaceFirst("\\(.*", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    return String.join(", ", techniques);
  }

  private static LoopEvent.ExampleSet example(String id, String text) {
    Document document =
        Document.empty()
            .with("text", JsonNodeFactory.instance.textNode(text))
            .with("mail", JsonNodeFactory.instance.textNode(text));
    return new LoopEvent.ExampleSet(new ValidationExample(id, "messages", document, Map.of()));
  }

  @Test
  void whatShowsEveryExampleWholeIsNotSampledBesideModelSelection() {
    TestRun run = search(TestPrograms.map("classify", "messages", "intent")).examples(30).finish();

    assertThat(run.issued).hasSizeGreaterThan(40);
    assertThat(sampled(run, "classify")).isEqualTo("model-selection");
  }

  @Test
  void itIsSampledAsSoonAsAnExampleIsLong() {
    TestRun run = search(TestPrograms.map("classify", "messages", "intent")).examples(30);
    run.tell(example("long", "word ".repeat(400))).finish();

    assertThat(sampled(run, "classify")).isEqualTo(ALL);
  }

  /** How long the texts of an operator upstream are depends on who writes them. */
  @Test
  void itIsSampledWhereModelsWriteWhatIsRead() {
    LogicalOperator second =
        new SemanticMap(
            "sum-up",
            "classify",
            "Sum up.",
            List.of("intent"),
            TestPrograms.map("other", "messages", "summary").writes());
    TestRun run =
        search(TestPrograms.map("classify", "messages", "intent"), second).examples(30).finish();

    assertThat(sampled(run, "classify")).isEqualTo("model-selection");
    assertThat(sampled(run, "sum-up")).isEqualTo(ALL);
  }

  @Test
  void aPinIsFollowed() {
    TestRun run = search(TestPrograms.map("classify", "messages", "intent"));
    run.set(new ControlRecord.Pinned(TestPrograms.NAME, "classify", new HeadAndTail("m0", 1_280)));
    run.examples(30).finish();

    assertThat(sampled(run, "classify")).isEqualTo("head-and-tail");
  }
}
