package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** How long a search takes, in virtual time, with as many samples at once as it asks for. */
class PipelineTest {

  private static final int PER_OPERATOR = 50;

  /** A chain of maps, named m1 and so on. */
  private static Program chain(int depth) {
    List<LogicalOperator> operators = new ArrayList<>();
    for (int i = 1; i <= depth; i++) {
      operators.add(TestPrograms.map("m" + i, i == 1 ? "messages" : "m" + (i - 1), "f" + i));
    }
    return TestPrograms.of(
        "maximize quality",
        new SampleBudget.Invocations(PER_OPERATOR * depth),
        operators.toArray(LogicalOperator[]::new));
  }

  private record Running(double until, SampleTask task) {}

  /** Seconds to the end of the search. */
  private static double seconds(
      int depth, boolean pipelined, ToDoubleFunction<SampleTask> latency) {
    LoopSettings settings =
        PaperSettings.of(
            11,
            BanditSampling.FRONTIER_SIZE,
            BanditSampling.NEW_ARM_EXAMPLES,
            SearchOptions.DEFAULT,
            program -> TestRun.space(program, 12),
            ModelCatalogue.of(List.of()));
    OptimizerLoop loop =
        new OptimizerLoop(TestPrograms.NAME, settings.toBuilder().pipelined(pipelined).build());
    loop.apply(new LoopEvent.ControlSet(new ControlRecord.ProgramSet(chain(depth))));
    for (int i = 0; i < 40; i++) {
      loop.apply(new LoopEvent.ExampleSet(TestPrograms.example(i)));
    }
    PriorityQueue<Running> running =
        new PriorityQueue<>(
            Comparator.comparingDouble(Running::until).thenComparing(run -> run.task().id()));
    double now = 0;
    int issued = start(loop, running, now, latency);
    while (!running.isEmpty()) {
      Running done = running.remove();
      now = done.until();
      Observation observation = TestWorld.scattered(3).apply(done.task());
      loop.apply(new LoopEvent.Observed(observation));
      issued += start(loop, running, now, latency);
    }
    assertThat(issued).isBetween(PER_OPERATOR * depth - 20, PER_OPERATOR * depth);
    return now;
  }

  private static int start(
      OptimizerLoop loop,
      PriorityQueue<Running> running,
      double now,
      ToDoubleFunction<SampleTask> latency) {
    int issued = 0;
    for (LoopEvent.Caused action : loop.decide()) {
      if (action instanceof DrawnSample(SampleTask task, var _, var _)) {
        running.add(new Running(now + latency.applyAsDouble(task), task));
        issued++;
      }
    }
    return issued;
  }

  @Test
  void timeGrowsWithTheSlowestOperatorAndNotWithTheSum() {
    ToDoubleFunction<SampleTask> even = task -> 0.75 + TestWorld.unit(1, task.id()) / 2;
    double one = seconds(1, true, even);
    StringBuilder table = new StringBuilder();
    for (int depth = 1; depth <= 6; depth++) {
      double piped = seconds(depth, true, even);
      double sequential = seconds(depth, false, even);
      table.append("%d: %.1f s, %.1f s%n".formatted(depth, piped, sequential));

      assertThat(piped).as(table.toString()).isLessThanOrEqualTo(one + (depth - 1) * 2);
      // A little of the budget is kept to try neighbours in one call.
      assertThat(sequential).as(table.toString()).isGreaterThan(0.75 * depth * one);
    }
  }

  @Test
  void aSlowOperatorHidesTheOthersWhereverItStands() {
    for (int slow = 1; slow <= 5; slow++) {
      String id = "m" + slow;
      ToDoubleFunction<SampleTask> latency =
          task ->
              (task.operator().id().equals(id) ? 20 : 1)
                  * (0.75 + TestWorld.unit(1, task.id()) / 2);

      double alone = seconds(1, true, task -> 20 * (0.75 + TestWorld.unit(1, task.id()) / 2));

      assertThat(seconds(5, true, latency)).as("m%d is slow", slow).isLessThan(alone + 30);
    }
  }
}
