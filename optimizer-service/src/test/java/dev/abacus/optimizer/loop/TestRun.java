package dev.abacus.optimizer.loop;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.sampling.prior.LearnedOperator;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatusBuilder;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A loop together with the topics around it and a data plane that answers. */
final class TestRun {

  static final String QUALITY = "maximize quality subject to cost <= 0.01";
  static final SampleBudget SAMPLES = new SampleBudget.Invocations(150);
  static final Function<SampleTask, Observation> WORLD = TestWorld.scattered(5);

  private final Function<SampleTask, Observation> world;
  private final Random order;
  private final LoopSettings settings;
  private OptimizerLoop loop;

  /** What was learned, by operator. */
  final Map<String, LearnedOperator> learned = new HashMap<>();

  /** Everything that stands on the topics, in order. */
  final List<LoopEvent> topics = new ArrayList<>();

  final List<LoopEvent.Caused> actions = new ArrayList<>();
  final List<SampleTask> issued = new ArrayList<>();
  final List<PhysicalPlan> plans = new ArrayList<>();
  final List<ControlRecord.Activated> activations = new ArrayList<>();

  /** Tasks that the data plane has not answered yet. */
  final List<SampleTask> waiting = new ArrayList<>();

  TestRun(Function<SampleTask, Observation> world, long order) {
    this(world, order, settings());
  }

  TestRun(Function<SampleTask, Observation> world, long order, LoopSettings settings) {
    this.world = world;
    this.order = new Random(order);
    this.settings = settings;
    this.loop = newLoop();
  }

  /** A search for the plan of {@link TestPrograms#triage} over 40 examples. */
  static TestRun triaging() {
    return triaging(1);
  }

  /** The same, where answers come back in another order. */
  static TestRun triaging(long order) {
    return new TestRun(WORLD, order).program(TestPrograms.triage(QUALITY, SAMPLES)).examples(40);
  }

  /** The paper's policy over twelve implementations of every operator. */
  static LoopSettings settings() {
    return settings(12);
  }

  /** The paper's policy over so many implementations of every operator. */
  static LoopSettings settings(int arms) {
    return PaperSettings.of(
        11,
        BanditSampling.FRONTIER_SIZE,
        BanditSampling.NEW_ARM_EXAMPLES,
        SearchOptions.DEFAULT,
        program -> space(program, arms),
        ModelCatalogue.of(List.of()));
  }

  /** The default policy over models of every operator; the best plans are measured. */
  static LoopSettings measuring(long seed, int models) {
    return measuring(seed, models, priors -> PolicyName.SURROGATE.create(seed, 1, priors));
  }

  /** A policy over models of every operator; the best plans are measured. */
  static LoopSettings measuring(long seed, int models, Function<Priors, SamplingPolicy> policy) {
    return LoopSettings.builder(
            seed, policy, program -> space(program, models), ModelCatalogue.of(List.of()))
        .confirmation(Confirmation.DEFAULT)
        .build();
  }

  private OptimizerLoop newLoop() {
    return new OptimizerLoop(TestPrograms.NAME, settings);
  }

  static Map<String, List<PhysicalOperator>> space(Program program, int models) {
    List<PhysicalOperator> arms =
        IntStream.range(0, models)
            .mapToObj(i -> (PhysicalOperator) new ModelSelection("m" + i))
            .toList();
    Map<String, List<PhysicalOperator>> space = new HashMap<>();
    program.semanticOperators().forEach(operator -> space.put(operator.id(), arms));
    return space;
  }

  OptimizerLoop loop() {
    return loop;
  }

  static List<String> ids(List<SampleTask> tasks) {
    return tasks.stream().map(SampleTask::id).toList();
  }

  LoopStatus status() {
    return Objects.requireNonNull(loop.status());
  }

  TestRun set(ControlRecord record) {
    return tell(new LoopEvent.ControlSet(record));
  }

  TestRun program(Program program) {
    return set(new ControlRecord.ProgramSet(program));
  }

  TestRun examples(int count) {
    IntStream.range(0, count).forEach(i -> tell(new LoopEvent.ExampleSet(TestPrograms.example(i))));
    return this;
  }

  /** As many examples {@code e0}, {@code e1}, … with a label of one operator. */
  TestRun labelled(int count, String operator, IntFunction<JsonNode> label) {
    IntStream.range(0, count)
        .forEach(i ->
            tell(
                new LoopEvent.ExampleSet(
                    new ValidationExample(
                        "e" + i,
                        "messages",
                        TestPrograms.example(i).document(),
                        Map.of(operator, label.apply(i))))));
    return this;
  }

  /** A worker reports; the test completes its status. */
  TestRun report(UnaryOperator<InstanceStatusBuilder> status) {
    return tell(
        new LoopEvent.WorkerReported(
            status
                .apply(
                    InstanceStatus.builder(TestPrograms.NAME, "worker", Instant.EPOCH, "RUNNING"))
                .build()));
  }

  TestRun tell(LoopEvent event) {
    topics.add(event);
    loop.apply(event);
    return this;
  }

  /** The loop decides, its actions reach the topics. */
  List<LoopEvent.Caused> decide() {
    List<LoopEvent.Caused> decided = loop.decide();
    for (LoopEvent.Caused action : decided) {
      actions.add(action);
      topics.add(action);
      switch (action) {
        case DrawnSample(SampleTask task, SampleStamp _, var _) -> {
          issued.add(task);
          waiting.add(task);
        }
        case LoopEvent.ControlSet(ControlRecord record) -> {
          switch (record) {
            case ControlRecord.PlanPublished published -> plans.add(published.plan());
            case ControlRecord.Activated activated -> activations.add(activated);
            default -> throw new AssertionError(record);
          }
        }
        case LoopEvent.Transferred _ -> {
          // Nothing but the topic knows of it.
        }
        case LoopEvent.OperatorLearned(String _, String operator, LearnedOperator learned) ->
            this.learned.put(operator, learned);
      }
    }
    return decided;
  }

  /** One of the waiting tasks, whichever, is answered. */
  void answerOne() {
    SampleTask task = waiting.remove(order.nextInt(waiting.size()));
    tell(new LoopEvent.Observed(world.apply(task)));
  }

  /** Until nothing happens any more; a few answers come between two decisions. */
  TestRun finish() {
    return finish(4);
  }

  /** Until nothing happens any more; every sample of a wave is answered before it decides. */
  TestRun finishInWaves() {
    return finish(Integer.MAX_VALUE);
  }

  private TestRun finish(int together) {
    decide();
    while (!waiting.isEmpty()) {
      for (int i = 0; i < together && !waiting.isEmpty(); i++) {
        answerOne();
      }
      decide();
    }
    return this;
  }

  /** Until so many samples were answered. */
  TestRun answer(int samples) {
    decide();
    for (int i = 0; i < samples && !waiting.isEmpty(); i++) {
      answerOne();
      decide();
    }
    return this;
  }

  /** The optimizer is killed, and another reads the topics from the beginning. */
  TestRun restart() {
    return restart(topics);
  }

  TestRun restart(List<LoopEvent> replayed) {
    loop = newLoop();
    replayed.forEach(loop::apply);
    return this;
  }

  /** Why the active plan was activated. */
  String reason() {
    return activations.getLast().reason();
  }

  PhysicalPlan activePlan() {
    long epoch = activations.getLast().epoch();
    return plans.reversed().stream()
        .filter(plan -> plan.epoch() == epoch)
        .findFirst()
        .orElseThrow();
  }
}
