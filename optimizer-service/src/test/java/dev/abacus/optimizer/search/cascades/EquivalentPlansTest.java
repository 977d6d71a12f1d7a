package dev.abacus.optimizer.search.cascades;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.rule.transformation.EquivalentPrograms;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
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
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Plans of programs with branches and joins of streams mean what the program says, and their
 * estimates follow from their inputs. An interpreter and a formula of this test say so.
 */
class EquivalentPlansTest {

  private static final int PROGRAMS = 400;

  /** An output of a node with the choices that it comes from. */
  private record Derived(Document document, Map<String, Integer> choices) {}

  @Test
  void everyPlanOfABranchProgramMeansWhatTheProgramSays() {
    int moved = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Random random = new Random(seed);
      Program program = branches(random);
      Map<String, List<Candidate>> candidates = candidates(program, random);
      for (String objective : List.of("minimize cost", "minimize latency")) {
        NamedSearchResult found = search(program, candidates, objective);
        for (NamedPlan plan : found.frontier()) {
          Program planned =
              program.withOperators(plan.steps().stream().map(NamedPlan.Step::logical).toList());
          assertThat(meaning(planned))
              .as("program %d%n%s%n%s", seed, program.operators(), planned.operators())
              .isEqualTo(meaning(program));
          assertThat(mistake(planned, program)).as("program %d", seed).isNull();
          assertEstimate(plan.estimate(), estimate(planned, chosen(plan, candidates)));
          moved += planned.operators().equals(program.operators()) ? 0 : 1;
        }
      }
    }
    assertThat(moved).isGreaterThan(PROGRAMS / 4);
  }

  @Test
  void thePlanIsAtLeastAsGoodAsEveryChoiceForTheProgramAsWritten() {
    int nested = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Random random = new Random(seed);
      Program program = branches(random);
      Map<String, List<Candidate>> candidates = candidates(program, random);
      for (String text :
          List.of(
              "minimize cost",
              "minimize latency",
              "maximize quality",
              "minimize cost subject to quality >= 0.2",
              "maximize quality subject to latency <= 3")) {
        Objective objective = ObjectiveParser.parse(text);
        NamedSearchResult found = search(program, candidates, text);
        double best = best(program, candidates, objective);
        double value = found.chosen().estimate().get(objective.target());
        if (!found.statistics().allOrders()) {
          continue;
        }
        nested++;
        assertThat(found.feasible() || Double.isNaN(best))
            .as("program %d, %s", seed, text)
            .isTrue();
        if (!Double.isNaN(best)) {
          boolean maximize = objective.target() == Dimension.QUALITY;
          assertThat(maximize ? value >= best - 1e-9 : value <= best + 1e-9)
              .as("program %d, %s: %s, best as written %s", seed, text, value, best)
              .isTrue();
        }
      }
    }
    assertThat(nested).isGreaterThan(PROGRAMS);
  }

  @Test
  void theBranchesOfAPlanTakeTheTimeOfTheLongest() {
    Program program =
        parse(
            """
            program: sides
            sources: { docs: { topic: docs } }
            operators:
              - { map: left, input: docs, instruction: L., reads: [a], writes: { l: string } }
              - { map: right, input: docs, instruction: R., reads: [a], writes: { r: string } }
              - { join: both, input: left, with: right }
              - { filter: f, condition: It is right., reads: [r] }
              - { map: last, instruction: Z., reads: [l, r], writes: { z: string } }
            results: { topic: out }
            """);
    Map<String, List<Candidate>> candidates =
        Map.of(
            "left", one(0.9, 0.10, 2, 1),
            "right", one(0.9, 0.20, 5, 1),
            "f", one(1, 0.02, 1, 0.25),
            "last", one(1, 0.40, 1, 1));

    assertEstimate(
        search(program, candidates, "minimize cost").chosen().estimate(),
        new Estimate(0.81, 0.10 + 0.20 + 0.02 + 0.25 * 0.40, 5 + 1 + 1));
  }

  @Test
  void aFilterInABranchThatReadsTheDocumentRunsBeforeTheSplit() {
    Program program =
        parse(
            """
            program: sides
            sources: { docs: { topic: docs } }
            operators:
              - { map: left, input: docs, instruction: L., reads: [a], writes: { l: string } }
              - { filter: f, condition: It is right., reads: [b] }
              - { map: right, input: docs, instruction: R., reads: [a], writes: { r: string } }
              - { join: both, input: f, with: right }
            results: { topic: out }
            """);
    Map<String, List<Candidate>> candidates =
        Map.of(
            "left", one(1, 0.10, 2, 1),
            "right", one(1, 0.20, 5, 1),
            "f", one(1, 0.02, 1, 0.25));
    NamedPlan plan = search(program, candidates, "minimize cost").chosen();

    assertThat(plan.estimate()).isEqualTo(new Estimate(1, 0.02 + 0.25 * 0.30, 6));
    assertThat(plan.steps().getFirst().logical().id()).isEqualTo("f");
  }

  @Test
  void operatorsMoveBelowAJoinOfStreamsWithoutAChangeOfMeaning() {
    int moved = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Random random = new Random(seed);
      Program program = streams(random);
      for (Program other : EquivalentPrograms.of(program).programs()) {
        assertThat(meaning(other))
            .as("program %d%n%s%n%s", seed, program.operators(), other.operators())
            .isEqualTo(meaning(program));
        assertThat(mistake(other, program)).as("program %d", seed).isNull();
        moved += other.equals(program) ? 0 : 1;
      }
      Map<String, List<Candidate>> candidates = candidates(program, random);
      NamedSearchResult found = search(program, candidates, "minimize cost");
      assertThat(found.chosen().estimate().cost())
          .isLessThanOrEqualTo(
              best(program, candidates, ObjectiveParser.parse("minimize cost")) + 1e-9);
    }
    assertThat(moved).isGreaterThan(PROGRAMS / 4);
  }

  @Test
  void aLimitRunsBeforeTheMapsThatDoNotChangeTheNumberOfDocuments() {
    Program program =
        parse(
            """
            program: first
            sources: { docs: { topic: docs } }
            operators:
              - { filter: f, condition: It is right., reads: [a] }
              - { map: m, instruction: L., reads: [a], writes: { l: string } }
              - { map: many, instruction: L., reads: [a], writes: { k: string }, cardinality: many }
              - limit: 10
            results: { topic: out }
            """);

    assertThat(EquivalentPrograms.of(program).programs())
        .extracting(other -> other.operators().stream().map(LogicalOperator::id).toList())
        .containsExactly(List.of("f", "m", "many", "limit"), List.of("f", "many", "limit", "m"));
    EquivalentPrograms.of(program)
        .programs()
        .forEach(other -> assertThat(mistake(other, program)).isNull());
  }

  @Test
  void aPlanWhoseStepsReadOtherBranchesIsRefused() {
    Program program =
        parse(
            """
            program: sides
            sources: { docs: { topic: docs } }
            operators:
              - { map: left, input: docs, instruction: L., reads: [a], writes: { a: string } }
              - { map: right, input: docs, instruction: R., reads: [a], writes: { r: string } }
              - { join: both, input: left, with: right }
            results: { topic: out }
            """);
    List<LogicalOperator> written = program.operators();

    assertThat(
            mistake(
                program.withOperators(
                    List.of(
                        written.get(0),
                        written.get(1).withInputs(List.of("left")),
                        written.get(2))),
                program))
        .isEqualTo("'right' must not read 'left'");
    assertThat(
            mistake(
                program.withOperators(
                    List.of(
                        written.get(0),
                        written.get(1),
                        written.get(2).withInputs(List.of("right", "left")))),
                program))
        .isEqualTo("'both' must not read 'right'");
  }

  private static @Nullable String mistake(Program planned, Program program) {
    List<PlanStep> steps =
        planned.operators().stream()
            .map(operator ->
                new PlanStep(
                    operator, operator.isSemantic() ? new ModelSelection("m") : new Relational()))
            .toList();
    PhysicalPlan plan =
        new PhysicalPlan(
            program.name(),
            1,
            new PlanChoice(steps, new Estimate(1, 0, 0)),
            Objective.MAXIMIZE_QUALITY,
            List.of());
    return PlanCheck.mistake(plan, program, _ -> true);
  }

  private static void assertEstimate(Estimate actual, Estimate expected) {
    assertThat(actual.quality()).isCloseTo(expected.quality(), within(1e-9));
    assertThat(actual.cost()).isCloseTo(expected.cost(), within(1e-9));
    assertThat(actual.latency()).isCloseTo(expected.latency(), within(1e-9));
  }

  private static Map<String, OperatorEstimate> chosen(
      NamedPlan plan, Map<String, List<Candidate>> candidates) {
    Map<String, OperatorEstimate> chosen = new HashMap<>();
    for (NamedPlan.Step step : plan.steps()) {
      candidates.getOrDefault(step.logical().id(), List.of()).stream()
          .filter(candidate -> candidate.id().equals(step.physical()))
          .forEach(candidate -> chosen.put(step.logical().id(), candidate.estimate()));
    }
    return chosen;
  }

  /** The best value of the target over all choices that meet the bounds; NaN if none does. */
  private static double best(
      Program program, Map<String, List<Candidate>> candidates, Objective objective) {
    double best = Double.NaN;
    List<Map<String, OperatorEstimate>> choices = new ArrayList<>(List.of(Map.of()));
    for (LogicalOperator operator : program.operators()) {
      List<Map<String, OperatorEstimate>> more = new ArrayList<>();
      for (Map<String, OperatorEstimate> choice : choices) {
        for (Candidate candidate : candidates.getOrDefault(operator.id(), List.of())) {
          Map<String, OperatorEstimate> one = new HashMap<>(choice);
          one.put(operator.id(), candidate.estimate());
          more.add(one);
        }
      }
      choices = more;
    }
    for (Map<String, OperatorEstimate> choice : choices) {
      Estimate estimate = estimate(program, choice);
      if (objective.bounds().stream()
          .allMatch(bound -> bound.holds(estimate.get(bound.dimension())))) {
        double value = estimate.get(objective.target());
        boolean better = objective.target() == Dimension.QUALITY ? value > best : value < best;
        best = Double.isNaN(best) || better ? value : best;
      }
    }
    return best;
  }

  /** Equation 1 with the number of documents that reach an operator. */
  private static Estimate estimate(Program program, Map<String, OperatorEstimate> chosen) {
    double quality = 1;
    double cost = 0;
    for (LogicalOperator operator : program.operators()) {
      OperatorEstimate own = chosen.getOrDefault(operator.id(), OperatorEstimate.RELATIONAL);
      double reaching = 1;
      for (String before : upstream(operator.id(), program)) {
        reaching *= chosen.getOrDefault(before, OperatorEstimate.RELATIONAL).selectivity();
      }
      quality *= own.quality();
      cost += reaching * own.cost();
    }
    return new Estimate(
        quality, cost, latency(program.operators().getLast().id(), program, chosen));
  }

  private static double latency(
      String node, Program program, Map<String, OperatorEstimate> chosen) {
    LogicalOperator operator = program.operator(node);
    if (operator == null) {
      return 0;
    }
    double before =
        operator.inputs().stream()
            .mapToDouble(input -> latency(input, program, chosen))
            .max()
            .orElse(0);
    return before + chosen.getOrDefault(node, OperatorEstimate.RELATIONAL).latency();
  }

  private static Set<String> upstream(String node, Program program) {
    Set<String> found = new TreeSet<>();
    LogicalOperator operator = program.operator(node);
    if (operator != null) {
      for (String input : operator.inputs()) {
        if (program.operator(input) != null) {
          found.add(input);
          found.addAll(upstream(input, program));
        }
      }
    }
    return found;
  }

  private static Map<String, List<Candidate>> candidates(Program program, Random random) {
    Map<String, List<Candidate>> candidates = new LinkedHashMap<>();
    for (LogicalOperator operator : program.operators()) {
      List<Candidate> own = new ArrayList<>();
      for (int i = 0; i < (operator.isSemantic() ? 2 : 0); i++) {
        boolean filter = operator.kind().equals("filter");
        own.add(
            new Candidate(
                "p" + i,
                new OperatorEstimate(
                    random.nextInt(50, 100) / 100.0,
                    random.nextInt(100) / 100.0,
                    random.nextInt(100) / 100.0,
                    filter ? random.nextInt(100) / 100.0 : 1)));
      }
      candidates.put(
          operator.id(),
          own.isEmpty() ? List.of(new Candidate("relational", OperatorEstimate.RELATIONAL)) : own);
    }
    return candidates;
  }

  private static List<Candidate> one(
      double quality, double cost, double latency, double selectivity) {
    return List.of(new Candidate("x", new OperatorEstimate(quality, cost, latency, selectivity)));
  }

  private static NamedSearchResult search(
      Program program, Map<String, List<Candidate>> estimates, String objective) {
    Map<String, List<Candidate>> all = new HashMap<>(estimates);
    program
        .operators()
        .forEach(operator -> {
          if (!operator.isSemantic()) {
            all.put(
                operator.id(), List.of(new Candidate("relational", OperatorEstimate.RELATIONAL)));
          }
        });
    return NamedPlanSearch.search(
        program, all, ObjectiveParser.parse(objective), SearchOptions.DEFAULT);
  }

  /** The results of a program for a few documents, in any order. */
  private static Map<String, Integer> meaning(Program program) {
    Map<String, Integer> meaning = new TreeMap<>();
    for (Derived result : derived(program.operators().getLast().id(), program)) {
      meaning.merge(sorted(result.document).toString(), 1, Integer::sum);
    }
    return meaning;
  }

  private static Document sorted(Document document) {
    return document.only(document.fieldNames().stream().sorted().toList());
  }

  private static List<Derived> derived(String node, Program program) {
    LogicalOperator operator = program.operator(node);
    List<Derived> outputs = new ArrayList<>();
    if (operator == null) {
      for (int i = 0; i < 6; i++) {
        outputs.add(
            new Derived(
                Document.empty()
                    .with("a", TextNode.valueOf(node + i))
                    .with("b", TextNode.valueOf("B" + i % 2)),
                Map.of(node, i)));
      }
      return outputs;
    }
    if (operator.inputs().size() == 2) {
      Set<String> fields = new HashSet<>();
      Map<String, List<String>> left = writers(operator.inputs().getFirst(), program);
      writers(operator.inputs().get(1), program)
          .forEach((writer, written) -> {
            if (!left.containsKey(writer)) {
              fields.addAll(written);
            }
          });
      for (Derived one : derived(operator.inputs().getFirst(), program)) {
        boolean alone = true;
        for (Derived other : derived(operator.inputs().get(1), program)) {
          Map<String, Integer> choices = new HashMap<>(one.choices);
          if (operator instanceof Merge && agree(one.choices, other.choices)) {
            choices.putAll(other.choices);
            outputs.add(new Derived(one.document.with(other.document.only(fields)), choices));
          } else if (operator instanceof StreamJoin join
              && one.document.get("b").equals(other.document.get("b"))) {
            outputs.add(
                new Derived(
                    one.document.with(join.into(), sorted(other.document).toJson()), choices));
            alone = false;
          }
        }
        if (operator instanceof StreamJoin join && alone && join.joinKind() == JoinKind.LEFT) {
          outputs.add(one);
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

  private static List<Document> outputs(LogicalOperator operator, Document document) {
    Document seen = operator.reads().isEmpty() ? sorted(document) : document.only(operator.reads());
    int hash = Math.floorMod(Objects.hash(operator.id(), seen.toString()), 1_000);
    if (!(operator instanceof SemanticMap map)) {
      return hash % 4 == 0 ? List.of() : List.of(document);
    }
    int count = map.cardinality() == SemanticMap.Cardinality.MANY ? hash % 4 : 1;
    List<Document> outputs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Document made = document;
      for (String field : map.writtenFields()) {
        made = made.with(field, TextNode.valueOf(map.id() + (hash + 1_000 * i)));
      }
      outputs.add(made);
    }
    return outputs;
  }

  private static Map<String, List<String>> writers(String node, Program program) {
    LogicalOperator operator = program.operator(node);
    Map<String, List<String>> writers = new LinkedHashMap<>();
    if (operator != null) {
      operator.inputs().forEach(input -> writers.putAll(writers(input, program)));
      writers.put(node, operator.writtenFields());
    }
    return writers;
  }

  /** A random program with branches of one document, nested or not. */
  private static Program branches(Random random) {
    StringBuilder text = new StringBuilder("operators:\n");
    List<String> open = new ArrayList<>(List.of("docs"));
    List<String> nodes = new ArrayList<>(List.of("docs"));
    int count = 3 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      String input =
          random.nextInt(3) == 0
              ? nodes.get(random.nextInt(nodes.size()))
              : open.get(random.nextInt(open.size()));
      text.append(operator("o" + i, input, List.of("a", "b", "x", "y"), random));
      open.remove(input);
      open.add("o" + i);
      nodes.add("o" + i);
    }
    open.remove("docs");
    int join = 0;
    while (open.size() > 1) {
      Collections.shuffle(open, random);
      String id = "j" + join++;
      text.append(
          "  - { join: %s, input: %s, with: %s }%n"
              .formatted(id, open.removeLast(), open.removeLast()));
      open.add(id);
    }
    if (join == 0) {
      return branches(random);
    }
    if (random.nextBoolean()) {
      text.append(operator("k", open.getFirst(), List.of("a", "b", "x", "y"), random));
    }
    return parse(
        "program: branches\nsources: { docs: { topic: docs } }\n%sresults: { topic: out }\n"
            .formatted(text));
  }

  /** A random program with a join of two streams in the middle. */
  private static Program streams(Random random) {
    StringBuilder text = new StringBuilder("operators:\n");
    List<String> fields = List.of("a", "b", "x", "r");
    String left = "left";
    for (int i = 0; i < random.nextInt(3); i++) {
      text.append(operator("l" + i, left, List.of("a", "b", "x", "y"), random));
      left = "l" + i;
    }
    text.append(
        "  - { join: pairs, input: %s, with: right, within: 1m, on: b, into: r, kind: %s }%n"
            .formatted(left, random.nextBoolean() ? "left" : "inner"));
    String last = "pairs";
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      text.append(operator("m" + i, last, fields, random));
      last = "m" + i;
    }
    return parse(
        ("program: streams%nsources: { left: { topic: left }, right: { topic: right } }%n"
                + "%sresults: { topic: out }%n")
            .formatted(text));
  }

  private static String operator(String id, String input, List<String> fields, Random random) {
    String reads =
        random.nextInt(4) == 0
            ? ""
            : "reads: [%s], ".formatted(fields.get(random.nextInt(fields.size())));
    if (random.nextInt(3) == 0) {
      return "  - { filter: %s, input: %s, %scondition: C. }%n".formatted(id, input, reads);
    }
    String many = random.nextInt(5) == 0 ? ", cardinality: many" : "";
    return "  - { map: %s, input: %s, %sinstruction: I., writes: { %s: string }%s }%n"
        .formatted(id, input, reads, fields.get(random.nextInt(3)), many);
  }

  private static Program parse(String text) {
    try {
      return new ProgramParser(ModelCatalogue.builtIn()).parse(text);
    } catch (InvalidTextException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
