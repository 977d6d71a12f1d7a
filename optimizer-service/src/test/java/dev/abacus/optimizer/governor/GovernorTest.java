package dev.abacus.optimizer.governor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.PromiseReport.JudgedOperator;
import dev.abacus.schemas.control.PromiseReport.Measured;
import dev.abacus.schemas.control.PromiseReport.Promised;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The governor as a fold: reports and time go in, moves come out. */
class GovernorTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  /** A control topic, an instance and a clock. */
  private static final class World {

    final Program program;
    final SortedMap<Long, PhysicalPlan> plans = new TreeMap<>();
    final List<ControlRecord> moves = new ArrayList<>();
    Governor governor = new Governor(GovernorSettings.DEFAULTS, GovernorState.START);
    ControlRecord.Activated active =
        new ControlRecord.Activated("p", 1, 1, "found", ControlRecord.OPTIMIZER);
    ControlRecord.@Nullable Paused pause;
    Instant now = NOON;
    boolean searching;
    int corrected;
    long done;
    double spent;
    long tokens;
    long lag;
    long pending;
    TreeMap<Long, EpochCounts> epochs = new TreeMap<>();
    TreeMap<Long, QualityCounts> judged = new TreeMap<>();
    List<ModelHealth> models = List.of();

    World(String settings) throws Exception {
      this(settings, "{ map: answer, instruction: Answer., writes: { reply: { type: string } } }");
    }

    World(String settings, String operator) throws Exception {
      program =
          new ProgramParser(ModelCatalogue.builtIn())
              .parse(
                  """
                  program: p
                  sources: { in: { topic: in } }
                  results: { topic: out }
                  """
                      + "operators: [%s]\n".formatted(operator)
                      + settings);
      PlanChoice best = plan("gpt-4o", 0.9, 0.010, 4);
      PlanChoice middle = plan("gpt-4o-mini", 0.8, 0.002, 2);
      PlanChoice cheap = plan("gpt-4.1-nano", 0.6, 0.0004, 1);
      publish(1, best, List.of(best, middle, cheap));
    }

    PlanChoice plan(String model, double quality, double cost, double latency) {
      return new PlanChoice(
          List.of(
              new PlanStep(
                  program.operators().getFirst(), new ModelSelection(model))),
          new Estimate(quality, cost, latency));
    }

    void publish(long epoch, PlanChoice choice, List<PlanChoice> frontier) {
      plans.put(epoch, new PhysicalPlan("p", epoch, choice, Objective.MAXIMIZE_QUALITY, frontier));
    }

    /** Documents are done under an epoch, as its plan promises but for a factor. */
    World documents(long epoch, int count, double factor, int failures) {
      PhysicalPlan plan = Objects.requireNonNull(plans.get(epoch));
      for (int i = 0; i < count; i++) {
        double noise = factor * (0.9 + 0.2 * (i % 11) / 10);
        double cost = plan.estimate().cost() * noise;
        done++;
        spent += cost;
        epochs.merge(
            epoch,
            EpochCounts.none(epoch).with(cost, plan.estimate().latency() * noise, i < failures),
            EpochCounts::plus);
      }
      return this;
    }

    /** The plan's implementations were sampled, with these intervals of quality. */
    World sure(long epoch, Range quality) {
      PhysicalPlan plan = Objects.requireNonNull(plans.get(epoch));
      plans.put(
          epoch,
          new PhysicalPlan(
              "p",
              epoch,
              plan.choice(),
              plan.objective(),
              plan.frontier(),
              Map.of(
                  "answer",
                  Map.of(
                      plan.steps().getFirst().physical().id(),
                      new StepEstimate(20, quality, Range.of(0.01), Range.of(4), 1))),
              null));
      return this;
    }

    World documents(long epoch, int count) {
      return documents(epoch, count, 1, 0);
    }

    /** Time goes by in steps of ten seconds, with a report and a decision at each. */
    World pass(int seconds) {
      for (int i = 0; i < seconds; i += 10) {
        now = now.plusSeconds(10);
        step();
      }
      return this;
    }

    /** The judge scores live outputs of an epoch, around a mean. */
    World judged(long epoch, int count, double mean) {
      for (int i = 0; i < count; i++) {
        judged.merge(
            epoch,
            QualityCounts.none(epoch, "answer").with(mean - 0.05 + 0.1 * (i % 11) / 10),
            QualityCounts::plus);
      }
      return this;
    }

    /** The judge finds so many right and wrong decisions of a filter. */
    World decided(long epoch, int kept, int wronglyKept, int wronglyDropped, int dropped) {
      QualityCounts more = QualityCounts.none(epoch, "answer");
      for (int i = 0; i < kept + wronglyKept; i++) {
        more = more.withDecision(true, i < kept ? 1 : 0);
      }
      for (int i = 0; i < dropped + wronglyDropped; i++) {
        more = more.withDecision(false, i < dropped ? 1 : 0);
      }
      judged.merge(epoch, more, QualityCounts::plus);
      return this;
    }

    void step() {
      governor.take(
          InstanceStatus.builder("p", "i", now, "RUNNING")
              .epoch(1L)
              .results(done)
              .costUsd(spent)
              .tokens(TokenCounts.of(tokens, 0, 0))
              .lag(lag)
              .pending(pending)
              .epochs(List.copyOf(epochs.values()))
              .models(models)
              .quality(List.copyOf(judged.values()))
              .build());
      for (ControlRecord move : governor.decide(situation(), now)) {
        moves.add(move);
        switch (move) {
          case ControlRecord.PlanPublished published ->
              plans.put(published.plan().epoch(), published.plan());
          case ControlRecord.Activated activated -> active = activated;
          case ControlRecord.Paused paused -> pause = paused.paused() ? paused : null;
          case ControlRecord.Reoptimize _ -> searching = true;
          default -> throw new AssertionError(move);
        }
      }
    }

    GovernedProgram situation() {
      return new GovernedProgram(
          program, active, plans, plans.lastKey() + 1, pause, searching, corrected);
    }

    String model() {
      return Objects.requireNonNull(plans.get(active.epoch()))
          .steps()
          .getFirst()
          .physical()
          .chatModels()
          .getFirst();
    }

    PromiseReport report() {
      return Objects.requireNonNull(governor.report(situation()));
    }

    World restart() throws Exception {
      GovernorState state = Json.read(Json.write(governor.state()), GovernorState.class);
      governor = new Governor(GovernorSettings.DEFAULTS, state);
      return this;
    }
  }

  private static final String CAP = "budget: { spending: { usd: 1, per: hour } }";

  @Test
  void itSwitchesDownBeforeTheCapPausesAtItAndIsBackInTheNextWindow() throws Exception {
    World world = new World(CAP);
    world.pass(60).documents(1, 55).pass(60);
    assertThat(world.model()).isEqualTo("gpt-4.1-nano");
    assertThat(world.active.by()).isEqualTo("governor");
    assertThat(world.active.reason()).contains("of $1.0000 per hour are spent");
    assertThat(world.pause).isNull();

    world.documents(world.active.epoch(), 1200).pass(10);
    assertThat(world.pause).isNotNull();
    assertThat(Objects.requireNonNull(world.pause).reason()).contains("next window");

    world.pass(1800);
    assertThat(world.pause).isNotNull();
    world.pass(1900);
    assertThat(world.pause).isNull();
    assertThat(world.model()).isEqualTo("gpt-4o");
    assertThat(world.active.reason()).contains("back to the plan of epoch 1");
  }

  @Test
  void aCapInTokensPausesUntilTheNextWindow() throws Exception {
    World world = new World("budget: { spending: { tokens: 100_000, per: hour } }");
    world.pass(60);
    world.tokens = 99_000;
    world.documents(1, 99).pass(60);
    assertThat(world.pause).isNull();

    world.tokens = 101_000;
    world.documents(1, 2).pass(10).restart().pass(10);
    assertThat(world.pause).isNotNull();
    assertThat(Objects.requireNonNull(world.pause).reason())
        .contains("101,000 of 100,000 tokens per hour are spent", "next window");

    world.pass(3600);
    assertThat(world.pause).isNull();
  }

  @Test
  void aNewWindowResumesHoweverManyDocumentsArePending() throws Exception {
    World world = new World(CAP);
    world.pass(60).documents(1, 130).pass(10);
    assertThat(world.pause).isNotNull();

    world.pending = 100_000;
    world.pass(3600);

    assertThat(world.pause).isNull();
  }

  @Test
  void ofTwoCapsTheFirstThatIsReachedPauses() throws Exception {
    World world = new World("budget: { spending: { usd: 1, tokens: 1_000_000, per: hour } }");
    world.pass(60);
    world.tokens = 5_000;
    world.documents(1, 120).pass(10);

    assertThat(world.pause).isNotNull();
    assertThat(Objects.requireNonNull(world.pause).reason())
        .contains("of $1.0000 and 5,000 of 1,000,000 tokens per hour are spent");
  }

  @Test
  void aRestartForgetsNothingThatWasSpent() throws Exception {
    World world = new World(CAP);
    world.pass(60).documents(1, 99).pass(10).restart().pass(10);
    assertThat(world.pause).isNull();

    world.documents(world.active.epoch(), 30).pass(10);

    assertThat(world.pause).isNotNull();
  }

  @Test
  void aSlowPaceIsLeftAlone() throws Exception {
    World world = new World(CAP);
    world.documents(1, 1).pass(2700).documents(1, 55).pass(600);

    assertThat(world.moves).isEmpty();
  }

  @Test
  void aUsersPauseIsNotLifted() throws Exception {
    World world = new World(CAP);
    world.pause = new ControlRecord.Paused("p", true);

    world.pass(7200);

    assertThat(world.pause).isNotNull();
  }

  @Test
  void aSurgeIsMetWithEverFasterPlansAndItsEndWithTheOldOne() throws Exception {
    World world = new World("governor: { lag: 1000 }");
    world.pass(30);
    assertThat(world.moves).isEmpty();

    world.lag = 5000;
    world.pass(10);
    assertThat(world.model()).isEqualTo("gpt-4o-mini");
    assertThat(world.active.reason()).contains("5000 documents wait, 1000 may");
    world.pass(60);
    assertThat(world.model()).isEqualTo("gpt-4.1-nano");

    world.lag = 700;
    world.pass(120);
    assertThat(world.model()).isEqualTo("gpt-4.1-nano");
    world.lag = 10;
    world.pass(60);
    assertThat(world.model()).isEqualTo("gpt-4o");
    assertThat(world.active.epoch()).isEqualTo(1);
  }

  @Test
  void aModelWhoseCallsFailIsAvoidedForAWhileAndLongerTheNextTime() throws Exception {
    World world = new World("");
    world.pass(30);
    world.models = List.of(new ModelHealth("gpt-4o", 40, 20, true));
    world.pass(10);
    assertThat(world.model()).isEqualTo("gpt-4o-mini");
    assertThat(world.active.reason()).contains("calls of gpt-4o fail");

    world.models = List.of(new ModelHealth("gpt-4o", 40, 20, false));
    world.pass(120);
    assertThat(world.model()).isEqualTo("gpt-4o");

    world.models = List.of(new ModelHealth("gpt-4o", 60, 40, true));
    world.pass(10);
    assertThat(world.model()).isEqualTo("gpt-4o-mini");
    world.models = List.of();
    world.pass(120);
    assertThat(world.model()).isEqualTo("gpt-4o-mini");
    world.pass(120);
    assertThat(world.model()).isEqualTo("gpt-4o");
  }

  @Test
  void documentsThatCostOtherThanEstimatedAreMeasuredAnewOnce() throws Exception {
    World world = new World("");
    world.pass(10).documents(1, 60).pass(10);
    assertThat(world.moves).isEmpty();

    world.documents(1, 60, 2, 0).pass(10);
    assertThat(world.moves)
        .singleElement()
        .isInstanceOfSatisfying(
            ControlRecord.Reoptimize.class,
            asked ->
                assertThat(asked.token())
                    .startsWith("drift 1: cost per document is $0.0")
                    .contains("not $0.010000", "answer=model-selection(gpt-4o)"));
    world.searching = false;
    world.documents(1, 60, 2, 0).pass(10).documents(1, 60, 2, 0).pass(10);
    assertThat(world.moves).hasSize(1);
  }

  @Test
  void theCostOfAGroupIsNotComparedWithThatOfADocument() throws Exception {
    World world =
        new World(
            "",
            "{ aggregate: answer, by: [customer], window: { tumbling: 1h },"
                + " instruction: Summarize., writes: { reply: { type: string } } }");
    world.pass(10).documents(1, 60, 20, 0).pass(10).documents(1, 60, 20, 0).pass(10);

    assertThat(world.moves).isEmpty();
    assertThat(world.report().measured().documents()).isEqualTo(120);
    assertThat(world.report().measured().cost()).isNull();
    assertThat(world.report().measured().latency()).isNull();
  }

  @Test
  void qualityDriftsWhenTheJudgesIntervalLeavesThatOfTheEstimate() throws Exception {
    World world = new World("").sure(1, Range.within(0.9, 0.8, 0.97, 0, 1));
    world.pass(10).judged(1, 60, 0.82).documents(1, 5).pass(10);
    assertThat(world.moves).as("within the estimate's interval").isEmpty();

    world.judged(1, 30, 0.5).pass(10);
    assertThat(world.moves).as("too few to say").isEmpty();

    world.judged(1, 30, 0.5).pass(10);
    assertThat(world.moves)
        .singleElement()
        .satisfies(move ->
            assertThat(((ControlRecord.Reoptimize) move).token())
                .startsWith("drift 1: the judge finds the quality of answer to be 0.")
                .endsWith("measured anew: answer=model-selection(gpt-4o)"));
    world.judged(1, 60, 0.5).pass(10).judged(1, 60, 0.5).pass(10);
    assertThat(world.moves).as("what was seen is the measure now").hasSize(1);
  }

  /**
   * One document in twenty is to be kept, and the filter finds half of them: balanced accuracy 0.75
   * as estimated, but 0.97 of the decisions are right.
   */
  @Test
  void theDecisionsOfAFilterAreComparedByItsMetric() throws Exception {
    World world =
        new World("", "{ filter: answer, condition: It is a complaint. }")
            .sure(1, Range.within(0.75, 0.68, 0.82, 0, 1));
    world.pass(10).decided(1, 10, 2, 10, 378).documents(1, 5).pass(10);
    assertThat(world.moves).isEmpty();

    world.decided(1, 2, 2, 3, 53).pass(10);
    assertThat(world.moves).as("five documents of the rare class say little").isEmpty();

    world.decided(1, 0, 2, 40, 758).pass(10);
    assertThat(world.moves)
        .as("0.95 of the decisions are right, and none of the documents to keep is found")
        .singleElement()
        .satisfies(move ->
            assertThat(((ControlRecord.Reoptimize) move).token())
                .startsWith("drift 1: the judge finds the quality of answer to be 0.4"));
  }

  @Test
  void theReportSetsMeasuredBesidePromised() throws Exception {
    World world = new World("");
    assertThat(world.report().measured()).isEqualTo(new Measured(0, null, null, null, List.of()));

    world.pass(10).documents(1, 110, 2, 0).judged(1, 33, 0.7).pass(10).restart();

    Measured measured = world.report().measured();
    assertThat(measured.documents()).isEqualTo(110);
    assertRange(measured.cost(), 0.019, 0.020, 0.021);
    assertRange(measured.latency(), 7.8, 8, 8.2);
    assertRange(measured.quality(), 0.68, 0.7, 0.72);
    assertThat(measured.operators()).extracting(JudgedOperator::judged).containsExactly(33L);
    assertThat(world.report().promised())
        .as("the plan was not run on held-back examples")
        .isEqualTo(new Promised(null, Range.of(0.9), Range.of(0.01), Range.of(4)));
  }

  private static void assertRange(@Nullable Range range, double low, double mean, double high) {
    assertThat(Objects.requireNonNull(range).mean()).isCloseTo(mean, within(1e-9));
    assertThat(range.low()).isBetween(low, mean);
    assertThat(range.high()).isBetween(mean, high);
  }

  @Test
  void twentyCorrectedResultsCauseARoundOnceEach() throws Exception {
    World world = new World("");
    world.corrected = 19;
    world.pass(30);
    assertThat(world.moves).isEmpty();

    world.corrected = 20;
    world.pass(30);
    assertThat(world.moves)
        .containsExactly(
            new ControlRecord.Reoptimize(
                "p", "feedback 1: 20 results were corrected; their examples are sampled"));

    world.searching = false;
    world.corrected = 39;
    world.restart().pass(30);
    assertThat(world.moves).hasSize(1);
    world.corrected = 41;
    world.pass(30);
    assertThat(world.moves).hasSize(2);
  }

  @Test
  void aGoodCanaryGetsAllDocuments() throws Exception {
    World world = canary();
    world.documents(1, 300).documents(2, 20).pass(10);
    assertThat(world.moves).isEmpty();

    world.documents(2, 40).pass(10);

    assertThat(world.active.epoch()).isEqualTo(2);
    assertThat(world.active.share()).isEqualTo(1);
    assertThat(world.active.reason()).contains("promoted");
    assertThat(world.pass(100).moves).hasSize(1);
  }

  @Test
  void aCanaryWhoseDocumentsFailIsRolledBackForGood() throws Exception {
    World world = canary();
    world.documents(1, 300, 1, 3).documents(2, 12, 1, 6).pass(10);

    assertThat(world.active.epoch()).isEqualTo(1);
    assertThat(world.active.beside()).isEqualTo(2);
    assertThat(world.active.reason()).contains("rolled back", "6 of 12 documents failed");
    assertThat(world.restart().pass(300).moves).hasSize(1);
  }

  @Test
  void aCanaryThatCostsMoreThanPromisedIsRolledBack() throws Exception {
    World world = canary();
    world.documents(1, 300).documents(2, 30, 2, 0).pass(10);

    assertThat(world.active.epoch()).isEqualTo(1);
    assertThat(world.active.reason()).contains("promised were $");
  }

  private static World canary() throws Exception {
    World world = new World("governor: { canary: 0.05 }");
    world.publish(2, world.plan("gpt-4.1-mini", 0.95, 0.003, 3), List.of());
    world.active = new ControlRecord.Activated("p", 2, 0.05, "found", ControlRecord.OPTIMIZER, 1L);
    return world.pass(10);
  }

  @Test
  void aPlanThatAUserActivatedIsLeftAloneButTheCapHolds() throws Exception {
    World world = new World(CAP);
    world.active = new ControlRecord.Activated("p", 1, 1, "rollback", "ada");
    world.models = List.of(new ModelHealth("gpt-4o", 40, 20, true));

    world.pass(20).documents(1, 110).pass(100);

    assertThat(world.active.by()).isEqualTo("ada");
    assertThat(world.pause).isNotNull();
  }

  @Test
  void theSameReportsGiveTheSameMovesAlsoAcrossRestarts() throws Exception {
    World one = new World(CAP);
    World other = new World(CAP);
    for (int i = 0; i < 30; i++) {
      one.documents(one.active.epoch(), 7).pass(30);
      other.documents(other.active.epoch(), 7).pass(30).restart();
    }

    assertThat(other.moves).isEqualTo(one.moves).isNotEmpty();
    assertThat(Duration.between(NOON, one.now)).isEqualTo(Duration.ofMinutes(15));
  }

  @Test
  void theWorkloadCountsWhatTheLastWorkersLeft() throws Exception {
    World world = new World("");
    world.pending = 7;
    world.step();
    assertThat(world.governor.workload(world.situation(), NOON))
        .extracting(Workload::instances, Workload::pending, Workload::seconds)
        .containsExactly(1, 7L, 4.0);

    world.documents(1, 100, 2, 0).step();
    Instant later = NOON.plusSeconds(3600);
    Workload without = world.governor.workload(world.situation(), later);
    assertThat(without.instances()).isZero();
    assertThat(without.pending()).isEqualTo(7);
    assertThat(without.seconds()).as("measured").isCloseTo(8, within(0.1));
  }
}
