package dev.abacus.optimizer.loop;

import static dev.abacus.optimizer.loop.TestPrograms.triage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Samples that fail, never come back or cannot be scored. */
class TroubledSamplesTest {

  @Test
  void anOperatorWhoseEverySampleFailsIsReportedAndTheSearchEnds() {
    TestRun run =
        new TestRun(
                TestWorld.with(TestRun.WORLD, Set.of("classify"), Observation.Outcome.FAILED), 1)
            .program(triage(TestRun.QUALITY, TestRun.SAMPLES))
            .examples(40)
            .finish();

    assertThat(run.plans).isEmpty();
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.STUCK);
    assertThat(run.status().message())
        .contains("'classify'", "failed", "the model refused")
        .contains("'answer'", "no validation example reaches it");
  }

  @Test
  void whatIsBehindAnOperatorWithoutImplementationDoesNotAskForMoreBudget() {
    LoopSettings settings =
        LoopSettings.builder(
                1,
                priors -> PolicyName.SURROGATE.create(1, 1, priors),
                program -> {
                  Map<String, List<PhysicalOperator>> space =
                      new HashMap<>(TestRun.space(program, 4));
                  space.put("classify", List.of());
                  return space;
                },
                ModelCatalogue.of(List.of()))
            .build();
    TestRun run =
        new TestRun(TestRun.WORLD, 1, settings)
            .program(triage(TestRun.QUALITY, TestRun.SAMPLES))
            .examples(40)
            .finish();

    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.STUCK);
    assertThat(run.status().message())
        .contains("'classify': the program's models give it no implementation")
        .contains("'answer': no validation example reaches it")
        .doesNotContain("budget");
  }

  @Test
  void aNewTokenTriesAgainWhatFailed() {
    Set<String> broken = new HashSet<>(Set.of("classify"));
    TestRun run =
        new TestRun(
                task ->
                    TestWorld.with(TestRun.WORLD, broken, Observation.Outcome.FAILED).apply(task),
                1)
            .program(triage(TestRun.QUALITY, TestRun.SAMPLES))
            .examples(40)
            .finish();
    assertThat(run.plans).isEmpty();

    broken.clear();
    run.set(new ControlRecord.Reoptimize(TestPrograms.NAME, "the key is right now")).finish();

    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(run.plans).isNotEmpty();
    assertThat(TestRun.ids(run.issued)).doesNotHaveDuplicates();
  }

  @Test
  void aSampleThatNeverComesBackIsGivenUpInTheEnd() {
    Instant start = Instant.parse("2026-03-01T10:00:00Z");
    TestRun run = TestRun.triaging().tell(new LoopEvent.Tick(start));
    run.decide();
    SampleTask lost = run.waiting.removeFirst();
    run.finish();
    assertThat(run.status().samplesOutstanding()).isEqualTo(1);

    run.tell(new LoopEvent.Tick(start.plusSeconds(590))).decide();
    assertThat(run.waiting).isEmpty();
    run.tell(new LoopEvent.Tick(start.plusSeconds(601))).finish();

    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(TestRun.ids(run.issued)).containsOnlyOnce(lost.id());
  }

  @Test
  void withTheDataPlaneDownNothingIsGivenUp() {
    Instant start = Instant.parse("2026-03-01T10:00:00Z");
    TestRun run = TestRun.triaging().tell(new LoopEvent.Tick(start));
    run.decide();
    int issued = run.issued.size();

    run.tell(new LoopEvent.Tick(start.plusSeconds(86_400))).decide();

    assertThat(run.issued).hasSize(issued);
  }

  @Test
  void anUnscoredObservationCountsAgainstTheBudgetButNotAsQuality() {
    TestRun run =
        new TestRun(
                task -> {
                  Observation scored = TestRun.WORLD.apply(task);
                  return task.exampleId().hashCode() % 2 == 0 ? unscored(scored) : scored;
                },
                1)
            .program(triage(TestRun.QUALITY, TestRun.SAMPLES))
            .examples(40)
            .finish();

    assertThat(run.issued).hasSizeBetween(140, 150);
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(run.activePlan().estimate().quality()).isGreaterThan(0);
  }

  private static Observation unscored(Observation scored) {
    return scored.toBuilder()
        .quality(null)
        .scoredBy(Observation.ScoredBy.NOBODY)
        .paid(null)
        .evidence(null)
        .failure("the judge is down")
        .build();
  }
}
