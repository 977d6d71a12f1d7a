package dev.abacus.optimizer.governor;

import dev.abacus.optimizer.loop.ProgramDeployment;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A program under a governor: a control topic, an instance of the data plane and a clock. */
final class GovernedWorld {

  static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  /** An outcome has the time of its last segment. */
  private static final double SECONDS_OF_A_GROUP = 0.1;

  /** An aggregate instead of the map. */
  static final String GROUPS =
      "{ aggregate: answer, by: [customer], window: { tumbling: 1h },"
          + " instruction: Summarize., writes: { reply: { type: string } } }";

  static final String CAP = "budget: { spending: { usd: 1, per: hour } }";

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
  long inFlight;
  TreeMap<Long, EpochCounts> epochs = new TreeMap<>();
  TreeMap<Long, QualityCounts> judged = new TreeMap<>();
  List<ModelHealth> models = List.of();

  GovernedWorld(String settings) throws Exception {
    this(settings, "{ map: answer, instruction: Answer., writes: { reply: { type: string } } }");
  }

  GovernedWorld(String settings, String operator) throws Exception {
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
        List.of(new PlanStep(program.operators().getFirst(), new ModelSelection(model))),
        new Estimate(quality, cost, latency));
  }

  void publish(long epoch, PlanChoice choice, List<PlanChoice> frontier) {
    plans.put(epoch, new PhysicalPlan("p", epoch, choice, Objective.MAXIMIZE_QUALITY, frontier));
  }

  /** Documents are done under an epoch, as its plan promises but for a factor. */
  GovernedWorld documents(long epoch, int count, double factor, int failures) {
    PhysicalPlan plan = Objects.requireNonNull(plans.get(epoch));
    for (int i = 0; i < count; i++) {
      double noise = factor * (0.9 + 0.2 * (i % 11) / 10);
      double cost = plan.estimate().cost() * noise;
      double latency = plan.estimate().latency() * noise;
      done++;
      spent += cost;
      epochs.merge(
          epoch,
          EpochCounts.none(epoch)
              .with(cost, latency, i < failures)
              .with(new EpochCounts.Work(1, cost, latency)),
          EpochCounts::plus);
    }
    return this;
  }

  /** Groups of documents are done, each of which costs as much as its documents. */
  GovernedWorld groups(long epoch, int count, int size, double factor) {
    PhysicalPlan plan = Objects.requireNonNull(plans.get(epoch));
    double cost = plan.estimate().cost() * factor * size;
    double latency = plan.estimate().latency() * factor * size;
    done += count;
    spent += count * cost;
    for (int i = 0; i < count; i++) {
      epochs.merge(
          epoch,
          EpochCounts.none(epoch)
              .with(cost, SECONDS_OF_A_GROUP, false)
              .with(new EpochCounts.Work(size, cost, latency)),
          EpochCounts::plus);
    }
    return this;
  }

  /** The plan's implementations were sampled, with these intervals of quality. */
  GovernedWorld sure(long epoch, Range quality) {
    PhysicalPlan plan = Objects.requireNonNull(plans.get(epoch));
    plans.put(
        epoch,
        new PhysicalPlan("p", epoch, plan.choice(), plan.objective(), plan.frontier())
            .with(
                Map.of(
                    "answer",
                    Map.of(
                        plan.steps().getFirst().physical().id(),
                        new StepEstimate(20, quality, Range.of(0.01), Range.of(4), 1))),
                null,
                Standing.REQUIRED));
    return this;
  }

  GovernedWorld documents(long epoch, int count) {
    return documents(epoch, count, 1, 0);
  }

  /** Time goes by in steps of ten seconds, with a report and a decision at each. */
  GovernedWorld pass(int seconds) {
    for (int i = 0; i < seconds; i += 10) {
      now = now.plusSeconds(10);
      step();
    }
    return this;
  }

  /** The judge scores live outputs of an epoch, around a mean. */
  GovernedWorld judged(long epoch, int count, double mean) {
    for (int i = 0; i < count; i++) {
      judged.merge(
          epoch,
          QualityCounts.none(epoch, "answer").with(mean - 0.05 + 0.1 * (i % 11) / 10),
          QualityCounts::plus);
    }
    return this;
  }

  /** The judge finds so many right and wrong decisions of a filter. */
  GovernedWorld decided(long epoch, int kept, int wronglyKept, int wronglyDropped, int dropped) {
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
            .inFlight(inFlight)
            .epochs(List.copyOf(epochs.values()))
            .models(models)
            .quality(List.copyOf(judged.values()))
            .build());
    for (ControlRecord move : governor.decide(situation(), corrected, now)) {
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

  ProgramDeployment situation() {
    return new ProgramDeployment(program, active, plans, plans.lastKey() + 1, pause, searching);
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

  GovernedWorld restart() throws Exception {
    GovernorState state = Json.read(Json.write(governor.state()), GovernorState.class);
    governor = new Governor(GovernorSettings.DEFAULTS, state);
    return this;
  }
}
