package dev.abacus.topology.execution;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Adjacent filters in an order of the document: same results, each asked once, also resumed. */
class FilterOrderTest {

  private static final Document DOCUMENT = Document.empty().with("text", TextNode.valueOf("hello"));

  private final List<String> asked = new ArrayList<>();
  private final List<Checkpoint> reached = new ArrayList<>();
  private Set<String> dropping = Set.of();

  /** Runs filters that cost 1 each, and a projection behind them. */
  private final PlanExecutor executor =
      new PlanExecutor((operator, _, document, _) -> {
        if (operator instanceof Project project) {
          return new OperatorOutcome.Kept(document.only(project.fields()), ExecutionStats.NONE);
        }
        asked.add(operator.id());
        ExecutionStats stats = new ExecutionStats(1, 0.5, 1);
        return dropping.contains(operator.id())
            ? new OperatorOutcome.Dropped(stats)
            : new OperatorOutcome.Kept(document, stats);
      });

  private record Shuffled(long seed, boolean asksAll) implements FilterOrder {

    @Override
    public List<PlanStep> of(List<PlanStep> filters, Document document) {
      List<PlanStep> order = new ArrayList<>(filters);
      Collections.shuffle(order, new Random(seed));
      return order;
    }

    @Override
    public boolean asksAll(List<PlanStep> filters) {
      return asksAll;
    }
  }

  @Test
  void everyOrderKeepsTheSameDocuments() throws InterruptedException {
    Random random = new Random(1);
    for (int round = 0; round < 500; round++) {
      List<PlanStep> steps = steps(1 + random.nextInt(5));
      draw(random, steps);
      PlanOutcome written = run(executor, steps, Checkpoint.start(DOCUMENT));
      PlanOutcome ordered =
          run(executor.ordered(new Shuffled(round, false)), steps, Checkpoint.start(DOCUMENT));
      if (written instanceof PlanOutcome.Result) {
        assertThat(ordered).isEqualTo(written);
      } else {
        assertThat(ordered).isInstanceOf(PlanOutcome.Filtered.class);
      }
      assertThat(asked).doesNotHaveDuplicates();
    }
  }

  @Test
  void aResumedDocumentMeetsTheFiltersThatAreLeftEvenByAWorkerWithoutTheOrder()
      throws InterruptedException {
    Random random = new Random(2);
    int resumed = 0;
    for (int round = 0; round < 500; round++) {
      List<PlanStep> steps = steps(2 + random.nextInt(5));
      draw(random, steps);
      PlanExecutor ordered = executor.ordered(new Shuffled(round, false));
      PlanOutcome outcome = run(ordered, steps, Checkpoint.start(DOCUMENT));
      List<String> whole = List.copyOf(asked);
      for (Checkpoint checkpoint : List.copyOf(reached)) {
        Checkpoint stored =
            CheckpointSerializer.LAYOUT.read(CheckpointSerializer.LAYOUT.toBytes(checkpoint));
        assertThat(stored).isEqualTo(checkpoint);
        List<String> before = whole.subList(0, checkpoint.stats().calls());
        assertThat(run(ordered, steps, stored)).isEqualTo(outcome);
        assertThat(asked).isEqualTo(whole.subList(before.size(), whole.size()));
        PlanOutcome elsewhere =
            run(
                random.nextBoolean() ? executor : executor.ordered(new Shuffled(-1, false)),
                steps,
                stored);
        assertThat(elsewhere).hasSameClassAs(outcome);
        assertThat(asked).doesNotContainAnyElementsOf(before).doesNotHaveDuplicates();
        if (outcome instanceof PlanOutcome.Result) {
          assertThat(elsewhere).isEqualTo(outcome);
          assertThat(asked).hasSize(whole.size() - before.size());
        }
        resumed++;
      }
    }
    assertThat(resumed).isGreaterThan(500);
  }

  @Test
  void anAuditedDocumentIsAskedOfAllFiltersAndDroppedAllTheSame() throws InterruptedException {
    List<PlanStep> steps = steps(4);
    dropping = Set.of("f1", "f2");
    PlanOutcome outcome =
        run(executor.ordered(new Shuffled(3, true)), steps, Checkpoint.start(DOCUMENT));
    assertThat(asked).containsExactlyInAnyOrder("f0", "f1", "f2", "f3");
    assertThat(outcome).isInstanceOf(PlanOutcome.Filtered.class);
    assertThat(outcome.stats()).isEqualTo(new ExecutionStats(4, 2, 4));
    assertThat(((PlanOutcome.Filtered) outcome).operator()).isIn("f1", "f2");
  }

  @Test
  void withoutAnOrderCheckpointsAreThoseOfThePlan() throws InterruptedException {
    run(executor, steps(3), Checkpoint.start(DOCUMENT));
    assertThat(reached).extracting(Checkpoint::nextStep).containsExactly(1, 2, 3);
    assertThat(reached).allMatch(checkpoint -> checkpoint.branches().isEmpty());
  }

  private void draw(Random random, List<PlanStep> steps) {
    Set<String> drawn = new TreeSet<>();
    steps.stream()
        .map(PlanStep::logical)
        .map(LogicalOperator::id)
        .filter(id -> id.startsWith("f") && random.nextInt(6) == 0)
        .forEach(drawn::add);
    dropping = drawn;
  }

  private PlanOutcome run(PlanExecutor with, List<PlanStep> steps, Checkpoint from)
      throws InterruptedException {
    asked.clear();
    reached.clear();
    return with.run(steps, from, new ScriptedModelClient(), reached::add);
  }

  /** As many filters, and a projection. */
  private static List<PlanStep> steps(int filters) {
    List<PlanStep> steps = new ArrayList<>();
    for (int i = 0; i < filters; i++) {
      steps.add(
          new PlanStep(
              new SemanticFilter("f" + i, "in", "c", List.of("text")), new ModelSelection("m")));
    }
    steps.add(new PlanStep(new Project("last", "f", List.of("text")), new Relational()));
    return steps;
  }
}
