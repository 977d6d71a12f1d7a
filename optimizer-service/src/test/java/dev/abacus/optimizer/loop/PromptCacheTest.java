package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.control.CacheCounts;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ObservationBuilder;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.SampleBudget;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * One model costs little and caches nothing; the prompts of another one are long, and all documents
 * share most of them. What is promised is what live documents cost, and the cheaper plan is chosen.
 */
class PromptCacheTest {

  private static final String BRIEF = "m0";
  private static final String LONG = "m1";
  private static final String LONGEST = "m2";

  /** USD of a document without other documents. */
  private static final double BRIEF_COST = 0.0010;

  private static final double LONG_COST = 0.0030;
  private static final double LONGEST_COST = 0.0040;

  /** The part of the cost of a long prompt that is not charged if it is cached. */
  private static final double SHARED = 0.0022;

  private static final double LONGEST_SHARED = 0.0037;

  private static double cost(String model) {
    return model.equals(BRIEF) ? BRIEF_COST : model.equals(LONG) ? LONG_COST : LONGEST_COST;
  }

  private static double shared(String model) {
    return model.equals(BRIEF) ? 0 : model.equals(LONG) ? SHARED : LONGEST_SHARED;
  }

  private static final int DOCUMENTS = 1_000;

  private static TestRun search(boolean cached) {
    return search(cached, 2);
  }

  private static TestRun search(boolean cached, int models) {
    TestRun run =
        new TestRun(world(cached), 1, TestRun.measuring(1, models))
            .program(
                TestPrograms.of(
                    "minimize cost",
                    new SampleBudget.Invocations(60),
                    TestPrograms.map("classify", "messages", "intent")));
    for (int i = 0; i < 60; i++) {
      run.tell(
          new LoopEvent.ExampleSet(
              new ValidationExample(
                  "m" + i,
                  "messages",
                  Document.empty().with("text", JsonNodeFactory.instance.textNode("message " + i)),
                  Map.of())));
    }
    return run.finishInWaves();
  }

  /** The first call with an instruction finds nothing in the cache. */
  private static Function<SampleTask, Observation> world(boolean cached) {
    Set<String> called = new HashSet<>();
    return task -> {
      String model = task.physical().chatModels().getFirst();
      double noise = 0.97 + 0.06 * TestWorld.unit(2, task.id());
      boolean hit = !called.add(model) && cached;
      ObservationBuilder observation =
          Observation.of(task)
              .quality(0.9)
              .scoredBy(Observation.ScoredBy.LABEL)
              .cost(cost(model) * noise)
              .latency(1)
              .outputs(List.of(task.input()));
      double shared = noise * shared(model);
      return shared == 0
          ? observation.build()
          : observation.prefix(new Observation.Prefix(shared, hit ? shared : 0)).build();
    };
  }

  /** Live documents of the active plan, of which a part finds the instruction cached. */
  private static void live(TestRun run, double hitRate) {
    PhysicalOperator active = run.activePlan().steps().getFirst().physical();
    String model = active.chatModels().getFirst();
    CacheCounts counts =
        new CacheCounts(
            active.id(), DOCUMENTS, DOCUMENTS * cost(model), hitRate * DOCUMENTS * shared(model));
    OperatorCounts operator =
        new OperatorCounts("classify", DOCUMENTS, DOCUMENTS, 0, 1, 1, 0, null, counts);
    run.report(status -> status.operators(List.of(operator)));
    run.finishInWaves();
  }

  private static String model(TestRun run) {
    return run.activePlan().steps().getFirst().physical().chatModels().getFirst();
  }

  private static PlanPromise promise(TestRun run) {
    return Objects.requireNonNull(run.activePlan().promise());
  }

  private static boolean contains(Range range, double value) {
    return Objects.requireNonNull(range.low()) <= value
        && value <= Objects.requireNonNull(range.high());
  }

  @Test
  void aLongInstructionIsTheCheaperPlanIfItIsCached() {
    TestRun run = search(true);
    assertThat(model(run)).isEqualTo(LONG);
    assertThat(contains(promise(run).cost(), LONG_COST - SHARED)).isTrue();

    live(run, 0.98);
    double bill = LONG_COST - 0.98 * SHARED;
    assertThat(model(run)).isEqualTo(LONG);
    assertThat(promise(run).cost().mean()).isCloseTo(bill, withinPercentage(5));
    assertThat(contains(promise(run).cost(), bill)).isTrue();
    assertThat(run.reason()).contains("; prompt caches save 71.9 % of the cost of 'classify'");
  }

  @Test
  void aModelThatCachesNothingIsPricedWithoutCache() {
    TestRun run = search(false);
    assertThat(model(run)).isEqualTo(BRIEF);
    assertThat(promise(run).cost().mean()).isCloseTo(BRIEF_COST, withinPercentage(5));
  }

  @Test
  void liveDocumentsThatComeTooSeldomForTheCacheGetTheBriefPlan() {
    TestRun run = search(true);
    int samples = run.issued.size();

    live(run, 0.02);
    assertThat(model(run)).as(run.reason()).isEqualTo(BRIEF);
    assertThat(promise(run).cost().mean()).isCloseTo(BRIEF_COST, withinPercentage(5));

    live(run, 0);
    assertThat(model(run)).as("it does not go back").isEqualTo(BRIEF);
    assertThat(run.issued).hasSize(samples);
  }

  @Test
  void theHitRateOfTheActivePlanHoldsForOthersToo() {
    TestRun run = search(true, 3);
    assertThat(model(run)).isEqualTo(LONGEST);

    live(run, 0.5);
    // By the hit rate of its samples, the other long prompt would cost less than the brief one.
    assertThat(model(run)).isEqualTo(BRIEF);
  }
}
