package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.loop.budget.CostForecast;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.loop.event.SampleLedger;
import dev.abacus.optimizer.loop.state.ParameterLearner;
import dev.abacus.optimizer.loop.state.PriorBeliefs;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.state.ProgramState;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The state of the program "triage" with 40 examples, and sample tasks for it. */
final class StateFixture {

  static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Program program;
  private final ProgramState state;

  StateFixture(@Nullable SampleBudget budget) {
    this(TestPrograms.triage("maximize quality", budget), 3);
  }

  /** The state of another program with this number of implementations of each operator. */
  StateFixture(Program program, int arms) {
    this.program = program;
    this.state =
        new ProgramState(
            TestPrograms.NAME,
            any -> TestRun.space(any, arms),
            new SampleLedger(PATIENCE),
            new CostForecast(ModelCatalogue.of(List.of())),
            new PriorBeliefs(TestPrograms.NAME, List.of(), ModelCatalogue.of(List.of())),
            new ParameterLearner(Runnable::run),
            List.of());
    state.apply(new LoopEvent.ControlSet(new ControlRecord.ProgramSet(program)));
    for (int i = 0; i < 40; i++) {
      state.apply(new LoopEvent.ExampleSet(TestPrograms.example(i)));
    }
  }

  ProgramState state() {
    return state;
  }

  Program program() {
    return program;
  }

  ProgramSnapshot view() {
    return Objects.requireNonNull(state.view());
  }

  SampleTask task(String operator, int example) {
    LogicalOperator logical = Objects.requireNonNull(program.operator(operator));
    ValidationExample validation = TestPrograms.example(example);
    return SampleTask.builder(operator + example, program.name())
        .operator(logical)
        .physical(new ModelSelection("m0"))
        .exampleId(validation.id())
        .input(validation.document())
        .label(validation.label(operator))
        .judge(program.judge())
        .build();
  }

  /** Issues a task in a wave of a round. */
  SampleTask issue(SampleTask task, long wave, String round) {
    state.apply(
        new DrawnSample(
            task,
            new SampleStamp(
                state.ledger().nextSequence(),
                wave,
                round,
                task.operator().id(),
                state.hashes().definition(program, task.operator()),
                state
                    .hashes()
                    .evidence(
                        Objects.requireNonNull(view().example(task.exampleId())),
                        task.operator().id()),
                false)));
    return task;
  }

  void observe(SampleTask task, double usd) {
    state.apply(
        new LoopEvent.Observed(
            Observation.of(task)
                .outcome(Observation.Outcome.KEPT)
                .outputs(List.of(task.input()))
                .quality(1.0)
                .scoredBy(Observation.ScoredBy.LABEL)
                .cost(usd)
                .latency(1)
                .build()));
  }
}
