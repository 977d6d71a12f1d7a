package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A map and a filter that is always right and keeps every second document. The map is right about
 * 95 % of the documents that are dropped, and 70 % of the others, whichever model answers.
 */
class KeptDocumentsPromiseTest {

  private static final int SEEDS = 12;

  private static boolean isKept(String example) {
    return Integer.parseInt(example.substring(1)) % 2 == 0;
  }

  private static Observation observe(long seed, SampleTask task) {
    boolean kept = isKept(task.exampleId());
    boolean filters = task.operator() instanceof SemanticFilter;
    String draw = task.exampleId() + " " + task.physical().id();
    boolean right = filters || TestWorld.unit(seed, draw) < (kept ? 0.7 : 0.95);
    return Observation.of(task)
        .outcome(filters && !kept ? Outcome.DROPPED : Outcome.KEPT)
        .outputs(filters && !kept ? List.of() : List.of(task.input()))
        .quality(right ? 1.0 : 0.0)
        .scoredBy(ScoredBy.LABEL)
        .cost(0.001)
        .latency(1)
        .build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theQualityOfTheMapIsThatOfDocumentsThatTheFilterKeeps(boolean filterFirst) {
    double map = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      long world = seed;
      TestRun run =
          new TestRun(task -> observe(world, task), seed, TestRun.measuring(seed, 4))
              .program(
                  TestPrograms.of(
                      "maximize quality",
                      new SampleBudget.Invocations(160),
                      filterFirst
                          ? TestPrograms.filter("is-problem", "messages")
                          : TestPrograms.map("classify", "messages", "intent"),
                      filterFirst
                          ? TestPrograms.map("classify", "is-problem", "intent")
                          : TestPrograms.filter("is-problem", "classify")));
      run.labelled(120, "is-problem", i -> BooleanNode.valueOf(i % 2 == 0));
      PhysicalPlan plan = run.finish().activePlan();
      map +=
          plan.steps().stream()
                  .filter(step -> step.logical().id().equals("classify"))
                  .mapToDouble(step -> Objects.requireNonNull(plan.basis(step)).quality().mean())
                  .sum()
              / SEEDS;
    }
    assertThat(map).isBetween(0.6, 0.78);
  }
}
