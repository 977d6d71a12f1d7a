package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every kind of semantic operator is sampled on what it would read in a running plan. */
class GeneralProgramsTest {

  private static final String JOIN =
      """
        - join: order
          input: messages
          with: orders
          within: 10m
          on: customer
          condition: The message is about the order.
      """;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Function<SampleTask, Observation> WORLD = TestWorld.scattered(5);

  private static Program program(String operators) throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(
            """
            program: triage
            sources:
              messages: { topic: support.messages }
              orders: { topic: support.orders }
            references:
              intents: { topic: support.intents, embed: [title] }
            operators:
            %s
            results: { topic: out }
            budget: { samples: 200 }
            """
                .formatted(operators));
  }

  private static ValidationExample example(String source, int number) {
    return example(source, number, JSON.textNode("c" + number % 4));
  }

  private static ValidationExample example(String source, int number, JsonNode customer) {
    return new ValidationExample(
        source + number,
        source,
        Document.empty()
            .with("text", JSON.textNode(source + " " + number))
            .with("customer", customer),
        Map.of());
  }

  private static TestRun run(Program program, Function<SampleTask, Observation> world) {
    TestRun run = new TestRun(world, 1).program(program);
    for (int i = 0; i < 24; i++) {
      run.tell(new LoopEvent.ExampleSet(example("messages", i)));
      if (program.sources().size() > 1) {
        run.tell(new LoopEvent.ExampleSet(example("orders", i)));
      }
    }
    return run;
  }

  private static List<SampleTask> tasks(TestRun run, String operator) {
    return run.issued.stream().filter(task -> task.operator().id().equals(operator)).toList();
  }

  /** The same program with one source. */
  private static Program oneSource(String operators) throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(
            """
            program: triage
            sources: { messages: { topic: support.messages } }
            references: { intents: { topic: support.intents, embed: [title] } }
            operators:
            %s
            results: { topic: out }
            budget: { samples: 200 }
            """
                .formatted(operators));
  }

  @Test
  void whatComesAfterATopKAndAJoinReadsTheirItems() throws Exception {
    TestRun run =
        run(
                oneSource(
                    """
                      - topk: candidates
                        from: intents
                        query: [text]
                        writes: hits
                      - join: intent
                        with: intents
                        condition: The intent is that of the message.
                        reads: [text, hits]
                      - map: answer
                        instruction: Answer.
                        reads: [text, intents]
                        writes: { reply: { type: string } }
                    """),
                WORLD)
            .finish();

    assertThat(tasks(run, "intent")).isNotEmpty().allMatch(task -> task.input().has("hits"));
    assertThat(tasks(run, "answer")).isNotEmpty().allMatch(task -> task.input().has("intents"));
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  @Test
  void aRankIsSampledOnTheListOfASearchAndReadByWhatFollows() throws Exception {
    TestRun run =
        run(
                oneSource(
                    """
                      - topk: candidates
                        from: intents
                        query: [text]
                        writes: hits
                      - rank: best
                        items: hits
                        criterion: The intent is that of the message.
                        reads: [text]
                        k: 3
                        writes: three
                      - map: answer
                        instruction: Answer.
                        reads: [text, three]
                        writes: { reply: { type: string } }
                    """),
                WORLD)
            .finish();

    assertThat(tasks(run, "best")).isNotEmpty().allMatch(task -> task.input().has("hits"));
    assertThat(tasks(run, "answer")).isNotEmpty().allMatch(task -> task.input().has("three"));
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  @Test
  void branchesThatMeetAgainAreSampledWithTheFieldsOfBoth() throws Exception {
    TestRun run =
        run(
                oneSource(
                    """
                      - map: mood
                        input: messages
                        instruction: Mood.
                        reads: [text]
                        writes: { mood: { type: string } }
                      - map: topic
                        input: messages
                        instruction: Topic.
                        reads: [text]
                        writes: { topic: { type: string } }
                      - join: both
                        input: mood
                        with: topic
                      - map: answer
                        input: both
                        instruction: Answer.
                        reads: [mood, topic]
                        writes: { reply: { type: string } }
                    """),
                WORLD)
            .finish();

    assertThat(tasks(run, "answer"))
        .isNotEmpty()
        .allSatisfy(
            task -> assertThat(task.input().fieldNames()).contains("text", "mood", "topic"));
    assertThat(tasks(run, "topic")).noneMatch(task -> task.input().has("mood"));
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  /** The customer that {@link TestWorld} gives the message with that text. */
  private static String customerOf(String text) {
    return "c" + Integer.parseInt(text.substring(text.lastIndexOf(' ') + 1)) % 4;
  }

  @Test
  void anAggregateReadsGroupsOfEqualFieldsWithTheOutputsUpstream() throws Exception {
    TestRun run =
        run(
                oneSource(
                    """
                      - map: mood
                        instruction: Mood.
                        reads: [text]
                        writes: { mood: { type: string } }
                      - aggregate: daily
                        by: [customer]
                        window: { tumbling: 24h }
                        instruction: Summarise.
                        reads: [text, mood]
                        writes: { summary: { type: string } }
                        compute: { messages: count }
                      - filter: alarming
                        condition: The summary is alarming.
                        reads: [summary, messages]
                    """),
                WORLD)
            .finish();

    assertThat(tasks(run, "daily"))
        .isNotEmpty()
        .allSatisfy(task -> {
          JsonNode members = task.input().get("members");
          String customer = task.input().get("customer").textValue();
          assertThat(members)
              .allMatch(member -> customerOf(member.path("text").textValue()).equals(customer))
              .allMatch(member -> member.has("mood"));
          assertThat(task.input().get("messages").intValue()).isEqualTo(members.size());
        });
    assertThat(tasks(run, "daily").stream().map(SampleTask::exampleId).distinct()).hasSize(4);
    assertThat(tasks(run, "alarming"))
        .isNotEmpty()
        .allMatch(task -> task.input().get("messages").isNumber())
        .noneMatch(task -> task.input().has("members"));
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  @Test
  void theSameGroupOfAnAggregateIsShownToEveryImplementation() throws Exception {
    TestRun run =
        run(
                oneSource(
                    """
                      - aggregate: daily
                        by: []
                        window: { tumbling: 24h }
                        instruction: Summarise.
                        reads: [text]
                        writes: { summary: { type: string } }
                    """),
                WORLD)
            .finish();

    Map<String, Set<Document>> inputs = new java.util.HashMap<>();
    tasks(run, "daily")
        .forEach(task ->
            inputs.computeIfAbsent(task.exampleId(), _ -> new HashSet<>()).add(task.input()));
    assertThat(inputs).hasSize(3);
    assertThat(inputs.values()).allMatch(documents -> documents.size() == 1);
  }

  @Test
  void aJoinOfStreamsIsSampledOnPairsOfEqualKeysSpreadOverBothSides() throws Exception {
    TestRun run =
        run(
                program(
                    """
                      - map: mood
                        input: messages
                        instruction: Mood.
                        reads: [text]
                        writes: { mood: { type: string } }
                      - join: order
                        input: mood
                        with: orders
                        within: 10m
                        on: customer
                        condition: The message is about the order.
                      - map: answer
                        input: order
                        instruction: Answer.
                        reads: [text, orders]
                        writes: { reply: { type: string } }
                    """),
                TestWorld.with(WORLD, Set.of("order"), Observation.Outcome.DROPPED))
            .finish();

    List<SampleTask> pairs = tasks(run, "order");
    assertThat(pairs)
        .isNotEmpty()
        .allMatch(task ->
            task.input().get("customer").equals(task.input().get("orders").path("customer")))
        .allMatch(task -> task.input().has("mood"));
    assertThat(pairs.stream().map(task -> task.input().get("text")).distinct().count())
        .isGreaterThan(3);
    assertThat(
            pairs.stream().map(task -> task.input().get("orders").path("text")).distinct().count())
        .isGreaterThan(3);
    assertThat(tasks(run, "answer")).isNotEmpty().allMatch(task -> task.input().has("orders"));
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  @Test
  void operatorsAreNotSampledOnDocumentsThatCodeDrops() throws Exception {
    TestRun run =
        run(
                oneSource(
                    """
                      - filter: urgent
                        condition: It is urgent.
                        where: doc.customer in ["c0", "c1"]
                        reads: [text]
                      - map: answer
                        instruction: Answer.
                        reads: [text]
                        writes: { reply: { type: string } }
                    """),
                WORLD)
            .finish();

    assertThat(tasks(run, "urgent"))
        .anyMatch(task -> task.input().get("customer").asText().equals("c3"));
    assertThat(tasks(run, "answer"))
        .isNotEmpty()
        .allMatch(task -> task.input().get("customer").asText().matches("c[01]"));
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  /** Odd messages have nine items of 0.001 USD each, the others one item of 0.01 USD. */
  private static Observation itemized(SampleTask task) {
    Observation one = WORLD.apply(task);
    boolean many = Integer.parseInt(task.exampleId().substring("messages".length())) % 2 == 1;
    if (!task.operator().id().equals("items")) {
      return one.toBuilder().cost(many ? 0.001 : 0.01).build();
    }
    Document output = one.outputs().getFirst();
    return one.toBuilder()
        .outputs(
            IntStream.range(0, many ? 9 : 1)
                .mapToObj(item -> output.with("item", JSON.numberNode(item)))
                .toList())
        .cost(0)
        .build();
  }

  @Test
  void whatFollowsAMapWithSeveralOutputsIsSampledOnAllOfThemAndChargedSo() throws Exception {
    TestRun run =
        run(
                oneSource(
                    """
                      - map: items
                        instruction: List the items.
                        reads: [text]
                        writes: { item: { type: string } }
                        cardinality: many
                      - map: state
                        instruction: In which state is the item?
                        reads: [item]
                        writes: { state: { type: string } }
                    """),
                GeneralProgramsTest::itemized)
            .finish();

    List<SampleTask> states = tasks(run, "state");
    assertThat(states.stream().map(task -> task.input().get("item").asInt()).distinct().count())
        .isGreaterThan(4);
    assertThat(states).anyMatch(task -> Double.valueOf(9).equals(task.weight()));
    // 10 items of 2 messages cost 9 · 0.001 + 0.01.
    assertThat(run.activePlan().estimate().cost()).isCloseTo(0.0095, withPercentage(25));
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  /** A filter in one branch, and a slow and dear map in the other, which runs beside it. */
  @Test
  void runsOfAPlanWithBranchesTakeWhatTheBranchesTakeSideBySide() throws Exception {
    TestRun run =
        new TestRun(
                task -> {
                  String operator = task.operator().id();
                  boolean dropped =
                      operator.equals("rare") && TestWorld.unit(1, task.exampleId()) > 0.2;
                  return TestWorld.observation(
                      task,
                      dropped ? Observation.Outcome.DROPPED : Observation.Outcome.KEPT,
                      0.9,
                      operator.equals("topic") ? 0.01 : 0.001,
                      operator.equals("topic") ? 5 : 1);
                },
                1,
                TestRun.measuring(1, 2))
            .program(
                oneSource(
                    """
                      - map: kind
                        input: messages
                        instruction: Kind.
                        reads: [text]
                        writes: { kind: { type: string } }
                      - filter: rare
                        input: kind
                        condition: It is rare.
                        reads: [kind]
                      - map: topic
                        input: messages
                        instruction: Topic.
                        reads: [text]
                        writes: { topic: { type: string } }
                      - join: both
                        input: rare
                        with: topic
                    """));
    for (int i = 0; i < 40; i++) {
      run.tell(new LoopEvent.ExampleSet(example("messages", i)));
    }
    run.finishInWaves();

    PlanPromise promise = Objects.requireNonNull(run.activePlan().promise());
    assertThat(promise.latency().mean()).isCloseTo(5, withPercentage(5));
    assertThat(promise.cost().mean()).isCloseTo(0.012, withPercentage(5));
  }

  @Test
  void aLabelOfAJoinMayNameThePartners() throws Exception {
    Program program = program(JOIN);
    TestRun run = new TestRun(WORLD, 1).program(program);
    for (int i = 0; i < 8; i++) {
      ValidationExample left = example("messages", i);
      run.tell(
          new LoopEvent.ExampleSet(
              new ValidationExample(
                  left.id(),
                  left.source(),
                  left.document(),
                  Map.of("order", JSON.arrayNode().add("orders" + i)))));
      run.tell(new LoopEvent.ExampleSet(example("orders", i)));
    }
    run.finish();

    assertThat(tasks(run, "order"))
        .isNotEmpty()
        .allSatisfy(task -> {
          String left = task.input().get("text").asText().replace("messages ", "");
          String right = task.input().get("orders").path("text").asText();
          assertThat(task.label()).isEqualTo(BooleanNode.valueOf(right.equals("orders " + left)));
        });
  }

  /** Live, 5 joins 5.0, and documents without a value join nothing. */
  @Test
  void samplesOfAJoinPairTheDocumentsThatLiveOnesPair() throws Exception {
    Program program = program(JOIN);
    TestRun run = new TestRun(WORLD, 1).program(program);
    for (int i = 0; i < 8; i++) {
      JsonNode whole = i < 4 ? JSON.numberNode(i) : JSON.nullNode();
      JsonNode decimal = i < 4 ? JSON.numberNode(new BigDecimal(i + ".0")) : JSON.nullNode();
      run.tell(new LoopEvent.ExampleSet(example("messages", i, whole)));
      run.tell(new LoopEvent.ExampleSet(example("orders", i, decimal)));
    }
    run.finish();

    assertThat(tasks(run, "order"))
        .extracting(task -> task.input().get("customer").asInt(-1))
        .containsOnly(0, 1, 2, 3);
    assertThat(tasks(run, "order"))
        .allMatch(task ->
            task.input().get("customer").asInt()
                == task.input().get("orders").path("customer").asInt());
  }
}
