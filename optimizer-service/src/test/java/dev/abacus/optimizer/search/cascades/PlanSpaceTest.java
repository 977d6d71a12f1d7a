package dev.abacus.optimizer.search.cascades;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.OrderSpace;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.TopK;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/**
 * The orders of operators that the transformation rules reach, for random small programs. Two
 * oracles share no code with the rules: all topological orders by pairwise independence, and the
 * symbolic execution of an order.
 */
class PlanSpaceTest {

  private static final int PROGRAMS = 4000;
  private static final int MAX_OPERATORS = 6;

  private final RandomGenerator random =
      RandomGeneratorFactory.of("L64X128MixRandom").create(20261122);

  @Test
  void theRulesReachExactlyTheTopologicalOrders() {
    int reordered = 0;
    for (int i = 0; i < PROGRAMS; i++) {
      Program program = draw();
      Set<List<String>> expected = new HashSet<>();
      addTopologicalOrders(program.operators(), new ArrayList<>(), expected);
      assertThat(ordersOfMemo(program)).as("case %d: %s", i, program).isEqualTo(expected);
      reordered += expected.size() > 1 ? 1 : 0;
    }
    assertThat(reordered).isGreaterThan(PROGRAMS / 4);
  }

  @Test
  void everyOrderGivesTheResultOfTheProgramAsWritten() {
    for (int i = 0; i < PROGRAMS; i++) {
      Program program = draw();
      Map<String, LogicalOperator> byId = new HashMap<>();
      program.operators().forEach(operator -> byId.put(operator.id(), operator));
      List<String> written = program.operators().stream().map(LogicalOperator::id).toList();
      for (List<String> order : ordersOfMemo(program)) {
        assertThat(run(order, byId))
            .as("case %d: %s in the order %s", i, program, order)
            .isEqualTo(run(written, byId));
      }
    }
  }

  // ---- the orders in the memo

  private static Set<List<String>> ordersOfMemo(Program program) {
    Map<String, List<Candidate>> candidates = new HashMap<>();
    program
        .operators()
        .forEach(operator ->
            candidates.put(
                operator.id(), List.of(new Candidate("x", new OperatorEstimate(1, 1, 1, 1)))));
    SearchProblem problem =
        SearchProblem.of(
            ProgramGraph.of(List.of(program)),
            candidates,
            CostModel.SELECTIVITY,
            Set.of(Metric.COST),
            false);
    return orders(
        CascadesSearch.of(problem, OrderSpace.Extent.ALL, Integer.MAX_VALUE).memo().root());
  }

  private static Set<List<String>> orders(Group group) {
    if (group.key().isEmpty()) {
      return Set.of(List.of());
    }
    Set<List<String>> orders = new HashSet<>();
    for (LogicalExpression expression : group.expressions()) {
      for (List<String> below : orders(expression.input())) {
        List<String> order = new ArrayList<>(below);
        order.add(expression.operator().id());
        orders.add(order);
      }
    }
    return orders;
  }

  // ---- oracle 1: topological orders by pairwise independence

  private static void addTopologicalOrders(
      List<LogicalOperator> written, List<LogicalOperator> begun, Set<List<String>> orders) {
    if (begun.size() == written.size()) {
      orders.add(begun.stream().map(LogicalOperator::id).toList());
      return;
    }
    for (int next = 0; next < written.size(); next++) {
      LogicalOperator operator = written.get(next);
      boolean ready =
          written.subList(0, next).stream()
              .allMatch(earlier -> begun.contains(earlier) || mayPass(earlier, operator));
      if (!begun.contains(operator) && ready) {
        begun.addLast(operator);
        addTopologicalOrders(written, begun, orders);
        begun.removeLast();
      }
    }
  }

  private static boolean mayPass(LogicalOperator one, LogicalOperator other) {
    if (one instanceof Limit || other instanceof Limit) {
      return other instanceof Limit && hasOneOutput(one);
    }
    if (one instanceof Project && other instanceof Project) {
      return true;
    }
    if (one instanceof Project project) {
      return keepsFieldsOf(project, other);
    }
    if (other instanceof Project project) {
      return keepsFieldsOf(project, one);
    }
    return !touches(one, other) && !touches(other, one);
  }

  /** Whether an operator neither adds nor drops documents, so that a limit may run before it. */
  private static boolean hasOneOutput(LogicalOperator operator) {
    return operator instanceof TopK
        || operator instanceof SemanticRank
        || (operator instanceof SemanticMap map
            && map.cardinality() == SemanticMap.Cardinality.ONE);
  }

  private static boolean keepsFieldsOf(Project project, LogicalOperator operator) {
    Set<String> removed = new HashSet<>(operator.reads());
    removed.addAll(operator.writtenFields());
    project.fields().forEach(removed::remove);
    return !operator.reads().isEmpty() && removed.isEmpty();
  }

  /** Whether the writer changes a field that the other operator reads or writes. */
  private static boolean touches(LogicalOperator writer, LogicalOperator other) {
    for (String field : writer.writtenFields()) {
      if (other.reads().isEmpty()
          || other.reads().contains(field)
          || other.writtenFields().contains(field)) {
        return true;
      }
    }
    return false;
  }

  // ---- oracle 2: symbolic execution

  /** The fields of a document as terms, and the terms that decide how many documents remain. */
  private record Result(Map<String, String> fields, Map<String, String> multiplicity) {}

  private static Result run(List<String> order, Map<String, LogicalOperator> byId) {
    Map<String, String> fields = new TreeMap<>(Map.of("a", "a", "b", "b", "c", "c"));
    Map<String, String> multiplicity = new TreeMap<>();
    for (String id : order) {
      LogicalOperator operator = Objects.requireNonNull(byId.get(id));
      String term = id + read(operator, fields);
      switch (operator) {
        case SemanticFilter _ -> multiplicity.put(id, term);
        case SemanticMap map -> {
          if (map.cardinality() == SemanticMap.Cardinality.MANY) {
            multiplicity.put(id, term);
          }
          map.writtenFields().forEach(field -> fields.put(field, term + "." + field));
        }
        case TopK topK -> fields.put(topK.writes(), term);
        case SemanticRank rank -> fields.put(rank.writes(), term);
        case ReferenceJoin join -> {
          multiplicity.put(id, term);
          fields.put(join.into(), term);
        }
        case Project project -> fields.keySet().retainAll(project.fields());
        case Limit _ -> {
          String before = multiplicity.toString();
          multiplicity.clear();
          multiplicity.put(id, before);
        }
        default -> throw new IllegalStateException("no semantics for " + operator);
      }
    }
    return new Result(fields, multiplicity);
  }

  private static String read(LogicalOperator operator, Map<String, String> fields) {
    if (operator.reads().isEmpty()) {
      return fields.toString();
    }
    Map<String, String> read = new TreeMap<>();
    operator.reads().forEach(field -> read.put(field, fields.getOrDefault(field, "absent")));
    return read.toString();
  }

  // ---- random programs

  private Program draw() {
    int size = 1 + random.nextInt(MAX_OPERATORS);
    List<Given.Spec> specs = new ArrayList<>();
    int barrier = random.nextInt(4) == 0 ? random.nextInt(size) : -1;
    for (int i = 0; i < size; i++) {
      specs.add(i == barrier ? Given.limit(5) : operator(i, size));
    }
    return Given.program(specs);
  }

  private Given.Spec operator(int i, int size) {
    String[] reads = random.nextInt(6) == 0 ? new String[0] : fields(size, 1 + random.nextInt(2));
    return switch (random.nextInt(9)) {
      case 0, 1 -> Given.filter("op" + i, reads);
      case 2 -> Given.map("op" + i, List.of("x" + i), reads);
      case 3 -> Given.map("op" + i, List.of(fields(size, 1 + random.nextInt(2))), reads);
      case 4 -> Given.manyMap("op" + i, reads);
      case 5 -> Given.topK("op" + i, fields(size, 1));
      case 6 -> Given.join("op" + i, reads);
      case 7 -> Given.rank("op" + i, fields(size, 1)[0], reads);
      default -> Given.project("op" + i, fields(size, 2 + random.nextInt(6)));
    };
  }

  /** Some of the fields of the source and of those that operators may write. */
  private String[] fields(int size, int count) {
    List<String> all = new ArrayList<>(List.of("a", "b", "c"));
    for (int i = 0; i < size; i++) {
      all.add("x" + i);
      all.add("op" + i);
    }
    Collections.shuffle(all, Random.from(random));
    return all.stream().limit(count).toArray(String[]::new);
  }
}
