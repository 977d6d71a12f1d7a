package dev.abacus.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.LearnedAnswers;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.runtime.PendingRecord;
import dev.abacus.topology.runtime.Work;
import dev.abacus.topology.runtime.WorkContext;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Documents that meet three filters in an order of their own. The text is the order that the
 * classifiers foresee: of "cab", c drops the document most probably, then a, then b.
 */
class DocumentFilterOrderTest {

  private static final String PROGRAM =
      """
      program: triage
      sources: { messages: { topic: in, format: json, key: id } }
      operators:
        - filter: a
          condition: A.
          reads: [text]
        - filter: b
          condition: B.
          reads: [text]
        - filter: c
          condition: C.
          reads: [text]
      results: { topic: out }
      learning: { audit: 0.2, target: 0.9 }
      """;

  /** By letter, its place in the text: the earlier, the larger. */
  private static final class Places implements Embedder {

    private int calls;

    @Override
    public String name() {
      return "places";
    }

    @Override
    public EmbeddingAnswer embed(List<String> texts) {
      calls++;
      return new EmbeddingAnswer.Success(
          texts.stream()
              .map(text ->
                  Embedding.of(
                      new float[] {
                        -text.indexOf('a') - 1, -text.indexOf('b') - 1, -text.indexOf('c') - 1
                      }))
              .toList(),
          new ExecutionStats(0, 0.01, 1));
    }
  }

  private final ProgramPlans plans = new ProgramPlans();
  private final Places embedder = new Places();
  private final List<String> asked = new ArrayList<>();
  private final List<byte[]> checkpoints = new ArrayList<>();
  private final Map<String, LearnedAnswers> learned = new TreeMap<>();
  private Set<String> dropping = Set.of();
  private long offset;
  private long epoch;
  private Program program;

  @BeforeEach
  void start() throws Exception {
    program = new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM);
    plans.apply(new ControlRecord.ProgramSet(program));
    activate(1e-9, true);
  }

  @Test
  void documentsMeetFiltersInTheirOwnOrder() throws Exception {
    assertThat(kept(run("cab", null, true))).isTrue();
    assertThat(asked).containsExactly("c", "a", "b");
    run("bca", null, true);
    assertThat(asked).containsExactly("b", "c", "a");
    dropping = Set.of("a");
    assertThat(kept(run("cab", null, true))).isFalse();
    assertThat(asked).containsExactly("c", "a");
  }

  @Test
  void oneEmbeddingOfATextServesAllFilters() throws Exception {
    run("cab", null, true);
    assertThat(embedder.calls).isEqualTo(1);
  }

  @Test
  void aDocumentThatIsRestoredBetweenFiltersMeetsTheOthersOnce() throws Exception {
    run("cab", null, true);
    List<byte[]> stored = List.copyOf(checkpoints);
    assertThat(stored).hasSize(2);
    assertThat(kept(run("cab", stored.getFirst(), true))).isTrue();
    assertThat(asked).containsExactly("a", "b");
    assertThat(kept(run("cab", stored.getLast(), true))).isTrue();
    assertThat(asked).containsExactly("b");
  }

  @Test
  void aWorkerWithoutTheEmbedderAsksTheOthersInTheOrderOfThePlan() throws Exception {
    run("cba", null, true);
    byte[] afterC = checkpoints.getFirst();
    assertThat(kept(run("cba", afterC, false))).isTrue();
    assertThat(asked).containsExactly("a", "b");
    dropping = Set.of("b");
    assertThat(kept(run("cba", afterC, false))).isFalse();
  }

  @Test
  void whatAClassifierIsSureOfComesFirst() throws Exception {
    PlanStep b = steps().get(1);
    TrainedClassifier passes = classifier(new float[] {0, 0, 0, -9}, 0.9);
    learned.put("b", new LearnedAnswers(LiveAnswer.question(b), "places", 1e-9, passes));
    activate(1e-9, true);
    int free = 0;
    for (int i = 0; i < 20; i++) {
      run("cab", null, true);
      free += asked.equals(List.of("c", "a")) ? 1 : 0;
    }
    assertThat(free).isEqualTo(20);
  }

  @Test
  void auditedDocumentsShowAllAnswersAndWhichOnesWereReached() throws Exception {
    activate(0.2, true);
    dropping = Set.of("a");
    int audited = 0;
    for (int i = 0; i < 200; i++) {
      List<LiveAnswer> answers = answers(run("cab", null, true));
      if (answers.size() == 3) {
        audited++;
        assertThat(answers).extracting(LiveAnswer::operator).containsExactly("c", "a", "b");
        assertThat(answers).extracting(LiveAnswer::reached).containsExactly(true, true, false);
        assertThat(answers).extracting(LiveAnswer::cost).containsOnly(0.5);
      } else {
        assertThat(answers).extracting(LiveAnswer::operator).containsExactly("c", "a");
        assertThat(answers).extracting(LiveAnswer::reached).containsOnlyNulls();
      }
    }
    assertThat(audited).isBetween(20, 60);
  }

  @Test
  void anOrderThatIsStillToBeShownIsThatOfThePlan() throws Exception {
    activate(1e-9, false);
    run("cab", null, true);
    assertThat(asked).containsExactly("a", "b", "c");
  }

  @Test
  void anOrderOfAnotherPromptIsNotUsed() throws Exception {
    plans.apply(new ControlRecord.PlanPublished(plan(7, order(1e-9, true, "other prompt"))));
    plans.apply(new ControlRecord.Activated("triage", 7, 1, "test", "test"));
    run("cab", null, true);
    assertThat(asked).containsExactly("a", "b", "c");
  }

  private List<PlanStep> steps() {
    return program.operators().stream()
        .map(operator -> new PlanStep(operator, new ModelSelection("gpt-4o")))
        .toList();
  }

  private PhysicalPlan plan(long number, LearnedOrder order) {
    PlanChoice choice = new PlanChoice(steps(), new Estimate(0.9, 1, 1));
    return new PhysicalPlan("triage", number, choice, program.objective(), List.of())
        .withLearned(number, learned, List.of(order));
  }

  private void activate(double audit, boolean shown) {
    epoch++;
    plans.apply(new ControlRecord.PlanPublished(plan(epoch, order(audit, shown, null))));
    plans.apply(new ControlRecord.Activated("triage", epoch, 1, "test", "test"));
  }

  private LearnedOrder order(double audit, boolean shown, @Nullable String question) {
    Map<String, LearnedOrder.Chance> filters = new TreeMap<>();
    for (int i = 0; i < 3; i++) {
      float[] drops = new float[4];
      drops[i] = 1;
      PlanStep step = steps().get(i);
      filters.put(
          step.logical().id(),
          new LearnedOrder.Chance(
              question == null ? LiveAnswer.question(step) : question,
              0.5,
              classifier(drops, TrainedClassifier.NEVER)));
    }
    return new LearnedOrder(
        "places",
        audit,
        100,
        filters,
        shown ? new LearnedOrder.Prediction(new Range(1, 0.9, 1.1), 1.5, 40) : null);
  }

  /** A classifier that gives "false" the probability of these weights. */
  private static TrainedClassifier classifier(float[] drops, double threshold) {
    return new TrainedClassifier(
        List.of("false", "true"),
        TrainedClassifier.encode(new float[][] {drops, new float[4]}),
        List.of(TrainedClassifier.NEVER, threshold),
        0.9,
        100);
  }

  /** Lets a worker process a document, or the same one again from a checkpoint. */
  private Completion run(String text, byte @Nullable [] checkpoint, boolean withEmbedder)
      throws InterruptedException {
    asked.clear();
    if (checkpoint == null) {
      checkpoints.clear();
      offset++;
    }
    PlanExecutor executor =
        new PlanExecutor((operator, _, document, _) -> {
          asked.add(operator.id());
          ExecutionStats stats = new ExecutionStats(0.5, 1, 1);
          return dropping.contains(operator.id())
              ? new OperatorOutcome.Dropped(stats)
              : new OperatorOutcome.Kept(document, stats);
        });
    DocumentServices services =
        new DocumentServices(
            plans,
            executor,
            _ ->
                new ModelAnswer.Failed(
                    new ModelFailure.TimedOut("no model"), new ExecutionStats(0, 0, 1)),
            null,
            new ProgramCounters(),
            Clock.systemUTC(),
            null,
            () -> true,
            Tracing.OFF,
            SourceRange.ALL,
            null,
            withEmbedder ? new LiveLearning(embedder, "abacus-triage") : null);
    Work work = DocumentWork.whole(program, services);
    InputRecord input =
        new InputRecord(
            "k".getBytes(StandardCharsets.UTF_8),
            "{\"id\":\"k\",\"text\":\"%s\"}".formatted(text).getBytes(StandardCharsets.UTF_8),
            0,
            List.of(),
            "in",
            0,
            offset);
    return work.run(
        new PendingRecord(input, work.stamp(input), Instant.EPOCH),
        new WorkContext() {
          @Override
          public boolean isRestored() {
            return checkpoint != null;
          }

          @Override
          public byte @Nullable [] restoredCheckpoint() {
            return checkpoint;
          }

          @Override
          public void checkpoint(byte[] state) {
            checkpoints.add(state);
          }
        });
  }

  private static boolean kept(Completion completion) {
    return completion.outputs().stream()
        .anyMatch(output -> output.child().equals(DocumentTopology.RESULTS));
  }

  private static List<LiveAnswer> answers(Completion completion) throws Exception {
    List<LiveAnswer> answers = new ArrayList<>();
    for (OutputRecord output : completion.outputs()) {
      if (output.child().equals(DocumentTopology.LEARNING)) {
        answers.add(Json.read(Objects.requireNonNull(output.value()), LiveAnswer.class));
      }
    }
    return answers;
  }
}
