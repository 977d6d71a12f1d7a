package dev.abacus.topology.execution;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Programs with branches, compared with an interpreter that follows the text of the program: each
 * operator sees the output of its input, and a join of branches pairs the outputs of one document.
 */
class BranchProgramsTest {

  private static final PhysicalOperator CALL = new ModelSelection("m");
  private static final Document DOCUMENT =
      Document.empty().with("a", TextNode.valueOf("A")).with("b", TextNode.valueOf("B"));
  private static final int PROGRAMS = 2_000;

  /** An output of a node with the number of the output that each one-to-many map chose for it. */
  private record Derived(Document document, Map<String, Integer> choices) {}

  @Test
  void randomBranchProgramsMeanWhatTheirTextSays() throws Exception {
    int results = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Random random = new Random(seed);
      Program program = program(random);
      PlanOutcome outcome =
          executor(Set.of())
              .run(
                  steps(shuffled(program, random)),
                  Checkpoint.start(DOCUMENT),
                  new ScriptedModelClient(),
                  _ -> {});

      List<Document> expected = interpret(program);
      if (expected.isEmpty()) {
        assertThat(outcome)
            .as("program %d: %s", seed, program)
            .isInstanceOf(PlanOutcome.Filtered.class);
      } else {
        assertThat(outcome)
            .as("program %d: %s", seed, program)
            .isInstanceOfSatisfying(
                PlanOutcome.Result.class,
                result ->
                    assertThat(result.documents()).containsExactlyInAnyOrderElementsOf(expected));
        results++;
      }
    }
    assertThat(results).isGreaterThan(PROGRAMS / 4);
  }

  @Test
  void aRestartAtAnyCheckpointGivesTheSameResultAndRepeatsNoFinishedStep() throws Exception {
    for (int seed = 0; seed < 200; seed++) {
      Program program = program(new Random(seed));
      List<PlanStep> steps = steps(program.operators());
      List<byte[]> reached = new ArrayList<>();
      PlanOutcome whole =
          executor(Set.of())
              .run(
                  steps,
                  Checkpoint.start(DOCUMENT),
                  new ScriptedModelClient(),
                  checkpoint -> reached.add(CheckpointSerializer.LAYOUT.toBytes(checkpoint)));
      for (byte[] bytes : reached) {
        Checkpoint checkpoint = CheckpointSerializer.LAYOUT.read(bytes);
        assertThat(CheckpointSerializer.LAYOUT.toBytes(checkpoint)).isEqualTo(bytes);
        PlanOutcome resumed =
            executor(Set.of()).run(steps, checkpoint, new ScriptedModelClient(), _ -> {});
        assertThat(resumed.getClass()).as("program %d", seed).isEqualTo(whole.getClass());
        if (whole instanceof PlanOutcome.Result result) {
          assertThat(resumed).isEqualTo(result);
        }
      }
    }
  }

  @Test
  void branchesRunSideBySideAndTakeTheTimeOfTheLongest() throws Exception {
    Program program =
        parse(
            """
            program: sides
            sources: { docs: { topic: docs } }
            operators:
              - { map: left, input: docs, instruction: L., reads: [a], writes: { l: string } }
              - { map: right, input: docs, instruction: R., reads: [a], writes: { r: string } }
              - { join: both, input: left, with: right }
              - { map: after, instruction: Z., reads: [l, r], writes: { z: string } }
            results: { topic: out }
            """);
    CountDownLatch bothRun = new CountDownLatch(2);
    Map<String, Double> seconds = Map.of("left", 2.0, "right", 5.0, "after", 1.0);
    PlanExecutor executor =
        new PlanExecutor((operator, _, document, _) -> {
          if (operator instanceof Merge) {
            return new OperatorOutcome.Kept(document, ExecutionStats.NONE);
          }
          if (!operator.id().equals("after")) {
            bothRun.countDown();
            assertThat(bothRun.await(10, TimeUnit.SECONDS)).isTrue();
          }
          return new OperatorOutcome.Kept(
              made((SemanticMap) operator, document, 0),
              new ExecutionStats(0.5, Objects.requireNonNull(seconds.get(operator.id())), 1));
        });

    PlanOutcome outcome =
        executor.run(
            steps(program.operators()),
            Checkpoint.start(DOCUMENT),
            new ScriptedModelClient(),
            _ -> {});

    assertThat(outcome.stats()).isEqualTo(new ExecutionStats(1.5, 6, 3));
  }

  @Test
  void aDocumentThatOneBranchDropsIsDroppedEvenIfTheOtherFails() throws Exception {
    Program program =
        parse(
            """
            program: sides
            sources: { docs: { topic: docs } }
            operators:
              - { map: fails, input: docs, instruction: L., reads: [a], writes: { l: string } }
              - { filter: drops, input: docs, condition: R., reads: [a] }
              - { join: both, input: fails, with: drops }
            results: { topic: out }
            """);
    PlanExecutor executor =
        new PlanExecutor((operator, _, _, _) ->
            operator instanceof SemanticFilter
                ? new OperatorOutcome.Dropped(new ExecutionStats(1, 3, 1))
                : new OperatorOutcome.Failed(
                    new OperatorFailure.UnusableDocument("broken"), new ExecutionStats(1, 1, 1)));

    PlanOutcome outcome =
        executor.run(
            steps(program.operators()),
            Checkpoint.start(DOCUMENT),
            new ScriptedModelClient(),
            _ -> {});

    assertThat(outcome).isEqualTo(new PlanOutcome.Filtered("drops", new ExecutionStats(2, 3, 2)));
  }

  @Test
  void aFailureInABranchIsThatOfTheDocument() throws Exception {
    for (int seed = 0; seed < 300; seed++) {
      Program program = program(new Random(seed));
      PlanOutcome whole = run(executor(Set.of()), program);
      if (whole instanceof PlanOutcome.Result) {
        String first =
            program.operators().stream()
                .filter(LogicalOperator::isSemantic)
                .findFirst()
                .orElseThrow()
                .id();
        assertThat(run(executor(Set.of(first)), program))
            .isInstanceOfSatisfying(
                PlanOutcome.Failed.class, failed -> assertThat(failed.operator()).isEqualTo(first));
      }
    }
  }

  private static PlanOutcome run(PlanExecutor executor, Program program)
      throws InterruptedException {
    return executor.run(
        steps(program.operators()), Checkpoint.start(DOCUMENT), new ScriptedModelClient(), _ -> {});
  }

  /** Operators whose results are functions of the fields that they read. */
  private static PlanExecutor executor(Set<String> failing) {
    return new PlanExecutor((operator, _, document, _) -> {
      ExecutionStats stats = new ExecutionStats(1, 1, 1);
      if (failing.contains(operator.id())) {
        return new OperatorOutcome.Failed(new OperatorFailure.UnusableDocument("broken"), stats);
      }
      if (operator instanceof Merge) {
        return new OperatorOutcome.Kept(document, ExecutionStats.NONE);
      }
      List<Document> outputs = outputs(operator, document);
      return outputs.isEmpty()
          ? new OperatorOutcome.Dropped(stats)
          : new OperatorOutcome.Kept(outputs, stats, null);
    });
  }

  private static List<Document> outputs(LogicalOperator operator, Document document) {
    Document seen =
        document.only(
            operator.reads().isEmpty()
                ? document.fieldNames().stream().sorted().toList()
                : operator.reads());
    int hash = Math.floorMod(Objects.hash(operator.id(), seen.toString()), 1_000);
    if (operator instanceof SemanticMap map) {
      int count = map.cardinality() == SemanticMap.Cardinality.MANY ? hash % 4 : 1;
      List<Document> outputs = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        outputs.add(made(map, document, hash + 1_000 * i));
      }
      return outputs;
    }
    return hash % 5 == 0 ? List.of() : List.of(document);
  }

  private static Document made(SemanticMap map, Document document, int value) {
    Document made = document;
    for (String field : map.writtenFields()) {
      made = made.with(field, TextNode.valueOf(map.id() + value));
    }
    return made;
  }

  /** The meaning of a program: what its last operator emits for the document. */
  private static List<Document> interpret(Program program) {
    return derived(program.operators().getLast().id(), program).stream()
        .map(Derived::document)
        .toList();
  }

  private static List<Derived> derived(String node, Program program) {
    LogicalOperator operator = program.operator(node);
    if (operator == null) {
      return List.of(new Derived(DOCUMENT, Map.of()));
    }
    List<Derived> outputs = new ArrayList<>();
    if (operator instanceof Merge merge) {
      Set<String> fields = new HashSet<>();
      Map<String, List<String>> right = writers(merge.with(), program);
      Map<String, List<String>> left = writers(merge.input(), program);
      right.forEach((writer, written) -> {
        if (!left.containsKey(writer)) {
          fields.addAll(written);
        }
      });
      for (Derived one : derived(merge.input(), program)) {
        for (Derived other : derived(merge.with(), program)) {
          if (agree(one.choices, other.choices)) {
            Map<String, Integer> choices = new HashMap<>(one.choices);
            choices.putAll(other.choices);
            outputs.add(new Derived(one.document.with(other.document.only(fields)), choices));
          }
        }
      }
      return outputs;
    }
    for (Derived input : derived(operator.input(), program)) {
      List<Document> made = outputs(operator, input.document);
      for (int i = 0; i < made.size(); i++) {
        Map<String, Integer> choices = new HashMap<>(input.choices);
        choices.put(operator.id(), i);
        outputs.add(new Derived(made.get(i), choices));
      }
    }
    return outputs;
  }

  private static boolean agree(Map<String, Integer> one, Map<String, Integer> other) {
    return one.entrySet().stream()
        .allMatch(choice ->
            !other.containsKey(choice.getKey())
                || choice.getValue().equals(other.get(choice.getKey())));
  }

  /** The fields that each operator upstream of a node writes. */
  private static Map<String, List<String>> writers(String node, Program program) {
    LogicalOperator operator = program.operator(node);
    Map<String, List<String>> writers = new LinkedHashMap<>();
    if (operator != null) {
      operator.inputs().forEach(input -> writers.putAll(writers(input, program)));
      writers.put(node, operator.writtenFields());
    }
    return writers;
  }

  /** A random program with two to four branches, some of them nested, one inside another. */
  private static Program program(Random random) {
    StringBuilder text =
        new StringBuilder(
            """
            program: branches
            sources: { docs: { topic: docs } }
            operators:
            """);
    List<String> open = new ArrayList<>(List.of("docs"));
    List<String> nodes = new ArrayList<>(List.of("docs"));
    int count = 3 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      String id = "o" + i;
      boolean fork = random.nextInt(3) == 0;
      String input =
          fork ? nodes.get(random.nextInt(nodes.size())) : open.get(random.nextInt(open.size()));
      text.append(operator(id, input, random));
      open.remove(input);
      open.add(id);
      nodes.add(id);
    }
    open.remove("docs");
    int join = 0;
    while (open.size() > 1) {
      Collections.shuffle(open, random);
      String id = "j" + join++;
      text.append(
          "  - { join: %s, input: %s, with: %s }%n"
              .formatted(id, open.removeLast(), open.removeLast()));
      String last = id;
      if (random.nextBoolean()) {
        last = "k" + join;
        text.append(operator(last, id, random));
      }
      open.add(last);
    }
    text.append("results: { topic: out }\n");
    try {
      return parse(text.toString());
    } catch (InvalidTextException e) {
      throw new AssertionError(text.toString(), e);
    }
  }

  private static String operator(String id, String input, Random random) {
    List<String> fields = List.of("a", "b", "x", "y");
    String reads =
        random.nextInt(4) == 0
            ? ""
            : "reads: [a, %s], ".formatted(fields.get(1 + random.nextInt(3)));
    if (random.nextInt(4) == 0) {
      return "  - { filter: %s, input: %s, %scondition: C. }%n".formatted(id, input, reads);
    }
    String many = random.nextInt(5) == 0 ? ", cardinality: many" : "";
    return "  - { map: %s, input: %s, %sinstruction: I., writes: { %s: string }%s }%n"
        .formatted(id, input, reads, fields.get(random.nextInt(4)), many);
  }

  private static Program parse(String text) throws InvalidTextException {
    return new ProgramParser(ModelCatalogue.builtIn()).parse(text);
  }

  private static List<LogicalOperator> shuffled(Program program, Random random) {
    List<LogicalOperator> left = new ArrayList<>(program.operators());
    List<LogicalOperator> order = new ArrayList<>();
    Set<String> done = new HashSet<>(Set.of("docs"));
    while (!left.isEmpty()) {
      List<LogicalOperator> ready =
          left.stream().filter(operator -> done.containsAll(operator.inputs())).toList();
      LogicalOperator next = ready.get(random.nextInt(ready.size()));
      order.add(next);
      left.remove(next);
      done.add(next.id());
    }
    return order;
  }

  private static List<PlanStep> steps(List<LogicalOperator> operators) {
    return operators.stream()
        .map(operator -> new PlanStep(operator, operator.isSemantic() ? CALL : new Relational()))
        .toList();
  }
}
