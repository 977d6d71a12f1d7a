package dev.abacus.optimizer.loop;

import static dev.abacus.optimizer.loop.TestPrograms.triage;

import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.Observation.Unavailable;
import dev.abacus.schemas.observation.SampleTask;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A search whose data plane cannot call some of the models at times. */
abstract class UnavailableModels {

  static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  static final String JUDGE = "o4-mini";

  Instant now = START;

  /** How far the clocks of the workers are ahead of that of the optimizer. */
  Duration ahead = Duration.ZERO;

  ModelState state = ModelState.UNREACHABLE;

  /** Tasks that the data plane cannot run at present. */
  Predicate<SampleTask> down = _ -> false;

  TestRun run = new TestRun(this::answer, 1, TestRun.settings(4));

  Observation answer(SampleTask task) {
    String first =
        firstIds.computeIfAbsent(
            "%s %s %s".formatted(task.operator().id(), task.physical().id(), task.input().toJson()),
            _ -> task.id());
    if (!down.test(task)) {
      Observation answer = answerOf(task, first);
      return task.needsJudge()
          ? answer.toBuilder().quality(answer.quality()).scoredBy(ScoredBy.JUDGE).build()
          : answer;
    }
    return Observation.of(task)
        .outcome(Observation.Outcome.UNAVAILABLE)
        .unavailable(new Unavailable(unavailable(task), state, now.plus(ahead)))
        .cost(0.0001)
        .tokens(TokenCounts.of(tokensOfOne, 0, 0))
        .failure("status 429")
        .build();
  }

  /** Answers do not depend on how often a sample is tried: they have the noise of the first id. */
  Observation answerOf(SampleTask task, String first) {
    Observation answer =
        TestRun.WORLD.apply(
            SampleTask.builder(first, task.program())
                .operator(task.operator())
                .physical(task.physical())
                .exampleId(task.exampleId())
                .input(task.input())
                .label(task.label())
                .metrics(task.metrics())
                .judge(task.judge())
                .build());
    return Observation.of(task)
        .outcome(answer.outcome())
        .outputs(answer.outputs())
        .quality(answer.quality())
        .scoredBy(answer.scoredBy())
        .cost(answer.cost())
        .latency(answer.latency())
        .judgeCost(answer.judgeCost())
        .tokens(TokenCounts.of(tokensOfOne, 0, 0))
        .build();
  }

  final Map<String, String> firstIds = new HashMap<>();
  String unavailable = "m3";
  long tokensOfOne;

  String unavailable(SampleTask task) {
    return unavailable.isEmpty() ? task.physical().chatModels().getFirst() : unavailable;
  }

  static Predicate<SampleTask> using(String model) {
    return task -> task.physical().chatModels().contains(model);
  }

  TestRun search() {
    at(START);
    return run.program(triage(TestRun.QUALITY, TestRun.SAMPLES)).examples(40);
  }

  void at(Instant instant) {
    now = instant;
    run.tell(new LoopEvent.Tick(now));
  }

  /** Runs the search until nothing is outstanding and no pause ends within the time. */
  void runFor(Duration time) {
    Instant end = now.plus(time);
    run.finish();
    while (now.isBefore(end)) {
      at(now.plusSeconds(5));
      run.finish();
    }
  }

  void report(ModelReport... reports) {
    run.tell(
        new LoopEvent.WorkerReported(
            InstanceStatus.builder(TestPrograms.NAME, "w1", now, "RUNNING")
                .availability(List.of(reports))
                .build()));
  }
}
