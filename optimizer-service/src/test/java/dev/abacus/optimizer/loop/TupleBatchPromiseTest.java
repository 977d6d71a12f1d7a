package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.BatchCounts;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.ObservationBuilder;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Answers about 16 documents in one call are worse than those about few, and cheaper. What is
 * promised is what live documents get.
 */
class TupleBatchPromiseTest {

  private static final int BUDGET = 40;
  private static final int SEEDS = 8;
  private static final int SIZE = 16;

  /** USD of the instruction and of a document, in a call of the cheapest model. */
  private static final double INSTRUCTION = 0.004;

  private static final double DOCUMENT = 0.001;

  /** The quality of a document in a call for so many. */
  private static double quality(int model, double documents) {
    return 0.75 + 0.03 * model - 0.4 * (documents - 1) / (SIZE - 1);
  }

  private static double cost(int model, double documents) {
    return (1 + 0.1 * model) * (DOCUMENT + INSTRUCTION / documents);
  }

  /** A search, with all tasks that were issued. */
  private static final class Search {

    private final long seed;
    private final OptimizerLoop loop;
    private final List<SampleTask> searched = new ArrayList<>();
    private final List<SampleTask> ran = new ArrayList<>();

    Search(long seed, int examples, SampleBudget budget) {
      this.seed = seed;
      LoopSettings settings =
          LoopSettings.builder(
                  seed,
                  priors -> PolicyName.SURROGATE.create(seed, BUDGET, priors),
                  TupleBatchPromiseTest::space,
                  ModelCatalogue.of(List.of()))
              .confirmation(Confirmation.DEFAULT)
              .build();
      loop = new OptimizerLoop(TestPrograms.NAME, settings);
      loop.apply(
          new LoopEvent.ControlSet(
              new ControlRecord.ProgramSet(
                  TestPrograms.of(
                      "minimize cost subject to quality >= 0.1",
                      budget,
                      TestPrograms.map("classify", "messages", "intent")))));
      for (int i = 0; i < examples; i++) {
        loop.apply(
            new LoopEvent.ExampleSet(
                new ValidationExample(
                    "m" + i,
                    "messages",
                    Document.empty()
                        .with("text", JsonNodeFactory.instance.textNode("message " + i)),
                    Map.of())));
      }
      run();
    }

    void run() {
      List<LoopEvent.Caused> actions = loop.decide();
      while (!actions.isEmpty()) {
        List<SampleTask> wave = new ArrayList<>();
        for (LoopEvent.Caused action : actions) {
          loop.apply(action);
          if (action instanceof DrawnSample(SampleTask task, var stamp, var _)) {
            wave.add(task);
            (stamp.alongPlan() ? ran : searched).add(task);
          }
        }
        answer(wave).forEach(observation -> loop.apply(new LoopEvent.Observed(observation)));
        actions = loop.decide();
      }
    }

    /** A worker makes one call for the tasks of a batch, else for those that arrive together. */
    private List<Observation> answer(List<SampleTask> wave) {
      Map<String, List<SampleTask>> calls = new HashMap<>();
      for (SampleTask task : wave) {
        String call =
            !(task.physical() instanceof TupleBatch)
                ? task.id()
                : task.batch() == null ? task.physical().id() : task.batch().id();
        calls.computeIfAbsent(call, _ -> new ArrayList<>()).add(task);
      }
      List<Observation> observations = new ArrayList<>();
      calls
          .values()
          .forEach(call -> call.forEach(task -> observations.add(observe(task, call.size()))));
      return observations;
    }

    private Observation observe(SampleTask task, int documents) {
      int model = model(task.physical());
      double scatter = 0.2 * (TestWorld.unit(seed, task.id()) - 0.5);
      double price = 0.95 + 0.1 * TestWorld.unit(seed + 1, task.id());
      ObservationBuilder observation =
          Observation.of(task)
              .outputs(List.of(task.input()))
              .cost(price * cost(model, documents))
              .latency(1);
      if (!task.isCompanion()) {
        observation
            .quality(Math.clamp(quality(model, documents) + scatter, 0, 1))
            .scoredBy(ScoredBy.LABEL);
      }
      SampleTask.Batch batch = task.batch();
      if (batch != null) {
        observation.batch(
            new Observation.Batch(
                batch.id(), documents, price * (1 + 0.1 * model) * INSTRUCTION / documents));
      }
      return observation.build();
    }

    void report(double documentsPerCall) {
      BatchCounts counts = new BatchCounts(SIZE, 1_000, 1_000 / documentsPerCall);
      loop.apply(
          new LoopEvent.WorkerReported(
              InstanceStatus.builder(TestPrograms.NAME, "worker", Instant.EPOCH, "RUNNING")
                  .operators(
                      List.of(
                          new OperatorCounts(
                              "classify", 1_000, 1_000, 0, 1, 1_000, 0, counts, null)))
                  .build()));
      run();
    }

    void pin(PhysicalOperator physical) {
      loop.apply(
          new LoopEvent.ControlSet(
              new ControlRecord.Pinned(TestPrograms.NAME, "classify", physical)));
      run();
    }

    PhysicalPlan active() {
      ProgramDeployment deployment = Objects.requireNonNull(loop.deployment());
      return Objects.requireNonNull(
          deployment.plans().get(Objects.requireNonNull(deployment.active()).epoch()));
    }

    PlanPromise promise() {
      return Objects.requireNonNull(active().promise());
    }

    PhysicalOperator implementation() {
      return active().steps().getFirst().physical();
    }

    String reason() {
      ProgramDeployment deployment = Objects.requireNonNull(loop.deployment());
      return Objects.requireNonNull(deployment.active()).reason();
    }
  }

  private static Map<String, List<PhysicalOperator>> space(Program program) {
    List<PhysicalOperator> arms = new ArrayList<>();
    for (int model = 0; model < 4; model++) {
      arms.add(new ModelSelection("m" + model));
      arms.add(new TupleBatch("m" + model, SIZE));
    }
    Map<String, List<PhysicalOperator>> space = new HashMap<>();
    program.semanticOperators().forEach(operator -> space.put(operator.id(), arms));
    return space;
  }

  private static int model(PhysicalOperator physical) {
    return Integer.parseInt(physical.chatModels().getFirst().substring(1));
  }

  private static Search search(long seed, int examples) {
    return new Search(seed, examples, new SampleBudget.Invocations(BUDGET));
  }

  private static boolean contains(Range range, double value) {
    return Objects.requireNonNull(range.low()) <= value
        && value <= Objects.requireNonNull(range.high());
  }

  @Test
  void fullBatchesArePromisedAsLiveDocumentsGetThem() {
    double bias = 0;
    int covered = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Search search = search(seed, 60);
      int model = model(search.implementation());

      assertThat(search.implementation()).isInstanceOf(TupleBatch.class);
      assertThat(search.promise().cost().mean()).isCloseTo(cost(model, SIZE), withinPercentage(5));
      bias += (search.promise().quality().mean() - quality(model, SIZE)) / SEEDS;
      covered += contains(search.promise().quality(), quality(model, SIZE)) ? 1 : 0;
    }
    assertThat(bias).isEqualTo(0, within(0.02));
    assertThat(covered).isGreaterThanOrEqualTo(SEEDS - 2);
  }

  @Test
  void theCostFollowsTheDocumentsThatShareLiveCalls() {
    Search search = search(1, 60);
    double full = search.promise().cost().mean();
    int samples = search.searched.size() + search.ran.size();

    search.report(15.6);
    assertThat(search.promise().cost().mean()).as("nearly full").isEqualTo(full);

    search.report(3);
    int model = model(search.implementation());
    assertThat(search.implementation()).isInstanceOf(TupleBatch.class);
    assertThat(search.promise().cost().mean()).isCloseTo(cost(model, 3), withinPercentage(5));
    assertThat(contains(search.promise().cost(), cost(model, 3))).isTrue();
    assertThat(search.reason()).contains("; a call of 'classify' is for 3.0 live documents");
    assertThat(search.searched.size() + search.ran.size()).isEqualTo(samples);

    search.report(SIZE);
    assertThat(search.promise().cost().mean()).as("full again").isEqualTo(full);
  }

  @Test
  void afterAPinItsOwnSamplesAreCounted() {
    Search search = search(2, 60);
    PhysicalOperator pinned = new ModelSelection("m3");
    search.pin(pinned);

    assertThat(search.implementation()).isEqualTo(pinned);
    long own =
        search.searched.stream().filter(task -> task.physical().id().equals(pinned.id())).count();
    assertThat(Objects.requireNonNull(search.loop.status()).samplesObserved())
        .isBetween((int) own, (int) own + search.ran.size());
  }

  @Test
  void aCallIsOneInvocationAndScoresEachOfItsDocuments() {
    Search search = search(2, 60);

    Map<String, List<SampleTask>> calls = new HashMap<>();
    double invocations = 0;
    for (SampleTask task : search.searched) {
      SampleTask.Batch batch = task.batch();
      invocations += batch == null ? 1 : 1.0 / SIZE;
      if (batch != null) {
        calls.computeIfAbsent(batch.id(), _ -> new ArrayList<>()).add(task);
      }
    }
    assertThat(search.searched).extracting(SampleTask::id).doesNotHaveDuplicates();
    assertThat(invocations).isEqualTo(0.8 * BUDGET);
    assertThat(calls).isNotEmpty();
    calls.values().forEach(call -> assertThat(call).hasSize(SIZE));
    assertThat(calls.values())
        .anySatisfy(call ->
            assertThat(call)
                .noneMatch(SampleTask::isCompanion)
                .extracting(SampleTask::exampleId)
                .doesNotHaveDuplicates());
    assertThat(Objects.requireNonNull(search.loop.status()).samplesIssued())
        .isLessThanOrEqualTo(BUDGET);
  }

  @Test
  void callsOfTheSearchHaveNoHeldBackExample() {
    Search search = search(3, 60);

    Set<String> heldBack = new HashSet<>();
    search.ran.stream()
        .filter(task -> !task.isCompanion())
        .forEach(task -> heldBack.add(task.exampleId()));

    assertThat(heldBack).hasSizeGreaterThan(10);
    assertThat(search.searched)
        .extracting(SampleTask::exampleId)
        .doesNotContainAnyElementsOf(heldBack);
  }

  @Test
  void aCallForMoreDocumentsThanExamplesIsNotOffered() {
    Search search = search(4, SIZE - 1);

    assertThat(search.searched)
        .extracting(SampleTask::physical)
        .isNotEmpty()
        .noneMatch(TupleBatch.class::isInstance);
  }

  @Test
  void aBudgetInDollarsPaysForWholeCalls() {
    Search search = new Search(5, 60, new SampleBudget.Dollars(0.4));

    assertThat(search.implementation()).isInstanceOf(TupleBatch.class);
    assertThat(search.promise().quality().mean())
        .isEqualTo(quality(model(search.implementation()), SIZE), within(0.1));
  }
}
