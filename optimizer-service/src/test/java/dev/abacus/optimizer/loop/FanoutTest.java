package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ObservationBuilder;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The cost behind an operator over several documents follows its outputs on the live stream. */
class FanoutTest {

  private static final int SAMPLES = 120;
  private static final double COST = 0.01;

  private static final String COUNTED =
      """
      sources: { messages: { topic: messages } }
      operators:
        - map: classify
          instruction: Topic.
          reads: [text]
          writes: { topic: string }
        - aggregate: daily
          by: [topic]
          window: { tumbling: 24h }
          compute: { messages: count }%s
        - map: title
          instruction: Title.
          reads: [topic, messages]
          writes: { title: string }
      """;

  private static final String JOINED =
      """
      sources: { messages: { topic: messages }, orders: { topic: orders } }
      operators:
        - filter: open
          input: orders
          condition: The order is open.
          reads: [text]
        - join: pairs
          input: messages
          with: open
          within: 10m
          on: customer
          condition: The message is about the order.
          reads: [text]
          into: order
        - map: answer
          input: pairs
          instruction: Answer.
          reads: [text, order]
          writes: { reply: string }
      """;

  @Test
  void groupsAreChargedAsManyTimesAsTheStreamHasThem() throws Exception {
    TestRun run = search(COUNTED.formatted(""), "maximize quality subject to cost <= 0.05");

    PhysicalPlan before = run.activePlan();
    PlanPromise unknown = Objects.requireNonNull(before.promise());
    assertThat(before.estimate().cost()).isCloseTo(2 * COST, withinPercentage(2));
    assertThat(unknown.unknownOutputs()).containsExactly("daily");
    assertThat(unknown.cost().low()).isNull();
    assertThat(unknown.bounds()).isEmpty();

    report(run, new OperatorFlow("daily", 10, 1));
    assertThat(run.decide()).as("too few documents").isEmpty();
    PhysicalPlan after = decided(run, new OperatorFlow("daily", 10_000, 500));

    PlanPromise promise = Objects.requireNonNull(after.promise());
    double truth = COST + 0.05 * COST;
    assertThat(promise.unknownOutputs()).isEmpty();
    assertThat(promise.cost().mean()).isCloseTo(truth, withinPercentage(3));
    assertThat(Objects.requireNonNull(promise.cost().low())).isLessThan(truth);
    assertThat(Objects.requireNonNull(promise.cost().high())).isGreaterThan(truth);
    assertThat(promise.bounds()).containsKey("cost");
    assertThat(run.reason()).contains("'daily' has 0.050 outputs per document");
    report(run, new OperatorFlow("daily", 10_100, 510));
    assertThat(run.decide()).as("nearly as many groups").isEmpty();
  }

  @Test
  void aStatedNumberOfGroupsIsReplacedByTheLiveOne() throws Exception {
    TestRun run = search(COUNTED.formatted("\n    fanout: 0.5"), "maximize quality");

    PlanPromise stated = Objects.requireNonNull(run.activePlan().promise());
    assertThat(stated.unknownOutputs()).isEmpty();
    assertThat(stated.cost().mean()).isCloseTo(1.5 * COST, withinPercentage(3));
    PhysicalPlan after = decided(run, new OperatorFlow("daily", 10_000, 500));
    assertThat(after.estimate().cost()).isCloseTo(1.05 * COST, withinPercentage(3));
  }

  @Test
  void fewGroupsLeaveTheCostUncertain() throws Exception {
    TestRun few = search(COUNTED.formatted(""), "maximize quality");
    TestRun many = search(COUNTED.formatted(""), "maximize quality");

    assertThat(width(decided(few, new OperatorFlow("daily", 20, 10))))
        .isGreaterThan(1.3 * width(decided(many, new OperatorFlow("daily", 20_000, 10_000))));
  }

  @Test
  void everyCandidatePairOfAJoinIsChargedOnce() throws Exception {
    TestRun run = search(JOINED, "maximize quality");
    PhysicalPlan before = run.activePlan();
    // The two pairs per message are those of the open orders.
    PhysicalPlan after = decided(run, new OperatorFlow("pairs", 10_000, 20_000));

    assertThat(before.estimate().cost()).isLessThan(2.5 * COST);
    assertThat(after.estimate().cost()).isCloseTo(COST + 2 * COST + 2 * COST, withinPercentage(5));
  }

  private static double width(PhysicalPlan plan) {
    PlanPromise promise = Objects.requireNonNull(plan.promise());
    return Objects.requireNonNull(promise.cost().high())
        - Objects.requireNonNull(promise.cost().low());
  }

  private static void report(TestRun run, OperatorFlow flow) {
    run.report(status -> status.flows(List.of(flow)));
  }

  private static PhysicalPlan decided(TestRun run, OperatorFlow flow) {
    report(run, flow);
    return run.finishInWaves().activePlan();
  }

  private static TestRun search(String operators, String objective) throws Exception {
    TestRun run = new TestRun(FanoutTest::observe, 1, TestRun.measuring(1, 3));
    String yaml =
        "program: %s\n%sresults: { topic: out }\nobjective: %s\nbudget: { samples: %d }\n"
            .formatted(TestPrograms.NAME, operators, objective, SAMPLES);
    assertThat(
            run.loop()
                .apply(
                    new LoopEvent.ControlSet(
                        new ControlRecord.ProgramSet(
                            new ProgramParser(ModelCatalogue.builtIn()).parse(yaml)))))
        .isNull();
    for (String source : operators.contains("orders") ? SOURCES : SOURCES.subList(0, 1)) {
      for (int i = 0; i < 40; i++) {
        run.tell(new LoopEvent.ExampleSet(example(source, i)));
      }
    }
    return run.finishInWaves();
  }

  private static final List<String> SOURCES = List.of("messages", "orders");

  private static ValidationExample example(String source, int number) {
    return new ValidationExample(
        source + number,
        source,
        Document.empty()
            .with("text", JsonNodeFactory.instance.textNode(source + " " + number))
            .with("customer", JsonNodeFactory.instance.textNode("c" + number % 10)),
        Map.of());
  }

  /** Every call costs about the same, and every second order is open. */
  private static Observation observe(SampleTask task) {
    double noise = 0.95 + 0.1 * TestWorld.unit(2, task.id());
    boolean drops =
        task.operator() instanceof SemanticFilter
            && Integer.parseInt(task.exampleId().replaceAll("\\D", "")) % 2 == 1;
    ObservationBuilder seen =
        Observation.of(task)
            .outcome(drops ? Observation.Outcome.DROPPED : Observation.Outcome.KEPT)
            .quality(0.9)
            .scoredBy(Observation.ScoredBy.LABEL)
            .cost(noise * COST)
            .latency(1);
    return drops ? seen.build() : seen.outputs(List.of(task.input())).build();
  }
}
