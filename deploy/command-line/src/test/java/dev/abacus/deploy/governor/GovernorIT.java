package dev.abacus.deploy.governor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.governor.ObedientModels.Manner;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Spending;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each cause that the governor knows, on a real broker, worker and optimizer: it moves, says why on
 * the control topic, and goes back; no document is lost or doubled.
 */
@Order(1)
class GovernorIT {

  private static final String BY_GOVERNOR = ControlRecord.GOVERNOR;

  @TempDir static Path folder;

  private static Stack stack;

  @BeforeAll
  static void start() throws Exception {
    stack = new Stack(folder);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  private static Program program(String name, String settings) throws Exception {
    Program program =
        new ProgramParser(stack.catalogue)
            .parse(
                """
                program: %1$s
                sources: { messages: { topic: %1$s.in, format: json, key: id } }
                operators:
                  - map: classify
                    input: messages
                    instruction: Which intent does the message have?
                    reads: [text]
                    writes: { intent: { type: string } }
                results: { topic: %1$s.out, format: json }
                models: [careful, quick]
                judge: o4-mini
                %2$s
                """
                    .formatted(name, settings));
    stack.create(program);
    return program;
  }

  private static PlanChoice choice(Program program, String model, Estimate estimate) {
    return new PlanChoice(
        List.of(new PlanStep(program.operators().getFirst(), new ModelSelection(model))), estimate);
  }

  /**
   * As a search that found two plans: the careful one, and a quick one for a tenth of the money.
   */
  private static Watched launch(String name, String settings) throws Exception {
    Program program = program(name, settings);
    PlanChoice careful = choice(program, Stack.CAREFUL, new Estimate(0.9, 0.01, 0.4));
    PlanChoice quick = choice(program, Stack.QUICK, new Estimate(0.6, 0.001, 0.03));
    stack.models.behave(Stack.CAREFUL, Manner.USUAL.taking(Duration.ofMillis(400)));
    stack.models.behave(Stack.QUICK, Manner.USUAL.taking(Duration.ofMillis(20)));
    PhysicalPlan plan =
        new PhysicalPlan(name, 1, careful, Objective.MAXIMIZE_QUALITY, List.of(careful, quick));
    stack.control(new ControlRecord.ProgramSet(program));
    stack.control(new ControlRecord.PlanPublished(plan));
    stack.control(new ControlRecord.Activated(name, 1, 1, "found", ControlRecord.OPTIMIZER));
    return new Watched(stack, name);
  }

  private static String model(PhysicalPlan plan) {
    return plan.steps().getFirst().physical().chatModels().getFirst();
  }

  /** Every document has exactly one result. */
  private static void assertNothingLostOrDoubled(Watched watched) throws Exception {
    watched.until("all results", () -> watched.results.size() >= watched.sent());
    assertThat(new HashSet<>(watched.results)).hasSize(watched.sent());
    assertThat(watched.results).hasSize(watched.sent());
    assertThat(watched.deadLetters).isEmpty();
  }

  /** The governor left the plan of epoch 1 for the quick one, for this reason, and came back. */
  private static void assertThereAndBack(Watched watched, String reason) {
    ControlRecord.Activated away = watched.moves.get(1);
    assertThat(away.by()).isEqualTo(BY_GOVERNOR);
    assertThat(away.reason()).contains(reason);
    assertThat(away.beside()).isEqualTo(1L);
    assertThat(model(watched.plan(away.epoch()))).isEqualTo(Stack.QUICK);
    ControlRecord.Activated back = watched.moves.get(2);
    assertThat(back.by()).isEqualTo(BY_GOVERNOR);
    assertThat(back.epoch()).isEqualTo(1);
    assertThat(back.reason()).contains("back to the plan of epoch 1");
  }

  @Test
  void spendingSwitchesDownBeforeTheCapPausesAtItAndGoesBackUp() throws Exception {
    try (Watched watched =
        launch("spending", "budget: { samples: 1, spending: { usd: 0.75, per: 15s } }")) {
      watched.send(1);
      watched.until("a result", () -> !watched.results.isEmpty());
      watched.feed(Duration.ofMillis(100));
      watched.until("away and back", () -> watched.moves.size() >= 3);

      assertThereAndBack(watched, "are spent");
      assertThat(watched.pauses).as("it switched before the cap").isEmpty();

      // Not even the quick plan can do with that.
      stack.control(
          new ControlRecord.BudgetSet(
              "spending", null, new Spending(0.02, null, Duration.ofSeconds(10))));
      watched.until(
          "a pause", () -> watched.pauses.stream().anyMatch(ControlRecord.Paused::paused));
      assertThat(watched.pauses.getFirst().by()).isEqualTo(BY_GOVERNOR);
      assertThat(watched.pauses.getFirst().reason()).contains("of $0.0200 per 10 s are spent");
      watched.stop();
      stack.control(
          new ControlRecord.BudgetSet(
              "spending", null, new Spending(90.0, null, Duration.ofSeconds(10))));
      watched.until("the end of the pause", () -> !watched.pauses.getLast().paused());

      assertNothingLostOrDoubled(watched);
    }
  }

  @Test
  void aSurgeIsWorkedOffByTheFasterPlan() throws Exception {
    try (Watched watched = launch("surge", "governor: { lag: 100 }")) {
      watched.send(500);
      watched.until("away and back", () -> watched.moves.size() >= 3);

      assertThereAndBack(watched, "documents wait, 100 may");
      assertNothingLostOrDoubled(watched);
    }
  }

  @Test
  void aModelThatFailsIsAvoidedUntilItIsWell() throws Exception {
    try (Watched watched = launch("outage", "")) {
      watched.feed(Duration.ofMillis(50));
      watched.until("results", () -> watched.results.size() > 10);

      stack.models.behave(Stack.CAREFUL, Manner.USUAL.failing());
      watched.until("away", () -> watched.moves.size() >= 2);
      stack.models.behave(Stack.CAREFUL, Manner.USUAL);
      watched.until("back", () -> watched.moves.size() >= 3);
      watched.stop();

      assertThereAndBack(watched, "calls of careful fail");
      assertNothingLostOrDoubled(watched);
    }
  }

  @Test
  void whatDriftsIsMeasuredAnew() throws Exception {
    Manner usual = Manner.USUAL.taking(Duration.ofMillis(200));
    stack.models.behave(Stack.CAREFUL, usual);
    Program program =
        program(
            "drift",
            """
            governor: { judge: 1.0 }
            budget: { samples: 20 }
            objective: maximize quality subject to cost <= 1, latency <= 60
            """);
    for (int i = 0; i < 8; i++) {
      stack.send(
          "drift.validation",
          "e" + i,
          "{\"source\": \"messages\", \"document\": {\"id\": \"%d\", \"text\": \"example %d\"}}"
              .formatted(i, i));
    }
    stack.control(new ControlRecord.Pinned("drift", "classify", new ModelSelection(Stack.CAREFUL)));
    stack.control(new ControlRecord.ProgramSet(program));
    try (Watched watched = new Watched(stack, "drift")) {
      watched.until(
          "a plan",
          () -> watched.moves.stream().anyMatch(move -> move.reason().contains("finished")));
      PhysicalPlan first = watched.plans.getLast();
      assertThat(first.estimate().quality()).isGreaterThan(0.7);
      assertThat(first.estimate().cost()).isBetween(0.009, 0.011);
      assertThat(Objects.requireNonNull(first.basis(first.steps().getFirst())).samples())
          .isPositive();

      Manner dearer = usual.writing(300);
      stack.models.behave(Stack.CAREFUL, dearer);
      untilDrift(watched, "cost per document is", plan -> plan.estimate().cost() > 0.027);

      Manner poorer = dearer.answering(ObedientModels.WRONG);
      stack.models.behave(Stack.CAREFUL, poorer);
      untilDrift(
          watched,
          "the judge finds the quality of classify",
          plan -> plan.estimate().quality() < first.estimate().quality() - 0.2);

      stack.models.behave(Stack.CAREFUL, poorer.taking(Duration.ofMillis(800)));
      untilDrift(watched, "latency per document is", plan -> plan.estimate().latency() > 0.6);

      assertThat(watched.samples)
          .as("what was measured")
          .allMatch(sample -> sample.physical().id().equals("model-selection(careful)"));
      assertNothingLostOrDoubled(watched);
    }
  }

  /** Documents flow until the governor has a drift of that kind measured anew, and it shows. */
  private static void untilDrift(Watched watched, String reason, Predicate<PhysicalPlan> measured)
      throws Exception {
    int known = watched.tokens.size();
    while (watched.tokens.stream().skip(known).noneMatch(token -> token.contains(reason))) {
      int sent = watched.sent() + 30;
      watched.send(30);
      watched.until("results", () -> watched.results.size() >= sent);
    }
    assertThat(watched.tokens).allMatch(token -> token.startsWith("drift "));
    assertThat(watched.tokens.getLast()).endsWith(": classify=model-selection(careful)");
    watched.until("what was measured", () -> measured.test(watched.plans.getLast()));
  }
}
