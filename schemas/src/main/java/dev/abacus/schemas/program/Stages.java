package dev.abacus.schemas.program;

import dev.abacus.schemas.program.Program.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Divides a program into stages: segments of per-document operators, and the stateful operators
 * between them.
 *
 * <pre>
 *   source ──► [filter, map] ──► (aggregate) ──► [map] ──► results
 *                segment           stateful operator       segment
 * </pre>
 *
 * <p>Branches that a {@link Merge} joins are one segment. They run side by side on one document,
 * and each sees its own fields only. A project is refused in a branch, because the join could not
 * tell which fields it removes.
 */
public final class Stages {

  /** Id of the segment after a stateful operator that ends the program. */
  public static final String RESULTS = "results";

  /**
   * The place of a segment between stateful operators. Operators with the same place form one
   * segment. Sources that a stateful operator reads and the end of the program have a segment even
   * if it has no operator.
   *
   * @param root the source or stateful operator from which the documents come
   * @param exits the inputs of stateful operators, or {@link #RESULTS}, to which the documents go
   */
  public record Place(String root, Set<String> exits) {}

  private final Program program;
  private final Map<String, LogicalOperator> byId = new LinkedHashMap<>();
  private final Map<String, Set<String>> exits = new HashMap<>();
  private final Map<Place, List<LogicalOperator>> chains = new LinkedHashMap<>();

  private Stages(Program program) {
    this.program = program;
    program.operators().forEach(operator -> byId.put(operator.id(), operator));
  }

  /**
   * The stages of a program in topological order; the last one emits the results.
   *
   * @throws IllegalArgumentException if an output is unused, or branches cannot be merged
   */
  public static List<Stage> of(Program program) {
    return new Stages(program).find();
  }

  /**
   * The places of all segments of a program, with the ids of their stages.
   *
   * @throws IllegalArgumentException as {@link #of}
   */
  public static Map<Place, String> places(Program program) {
    Stages stages = new Stages(program);
    Map<Place, String> places = new LinkedHashMap<>();
    for (Stage stage : stages.find()) {
      if (stage instanceof Stage.Segment segment) {
        places.put(
            segment.operators().isEmpty()
                ? stages.placeAfter(segment)
                : stages.key(segment.operators().getFirst()),
            segment.id());
      }
    }
    return places;
  }

  /** The operators in an order in which each one stands after its inputs; stable. */
  public static List<LogicalOperator> ordered(List<LogicalOperator> operators) {
    List<LogicalOperator> left = new ArrayList<>(operators);
    List<LogicalOperator> ordered = new ArrayList<>();
    Set<String> waiting = new LinkedHashSet<>();
    left.forEach(operator -> waiting.add(operator.id()));
    while (!left.isEmpty()) {
      LogicalOperator next =
          left.stream()
              .filter(operator -> operator.inputs().stream().noneMatch(waiting::contains))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException("the operators are a cycle"));
      ordered.add(next);
      left.remove(next);
      waiting.remove(next.id());
    }
    return ordered;
  }

  /**
   * The place of each per-document operator of a program, by its id.
   *
   * @throws IllegalArgumentException as {@link #of}
   */
  public static Map<String, Place> placeByOperator(Program program) {
    Stages stages = new Stages(program.withOperators(ordered(program.operators())));
    stages.find();
    return program.operators().stream()
        .filter(LogicalOperator::isPerDocument)
        .collect(Collectors.toMap(LogicalOperator::id, stages::key));
  }

  private Place placeAfter(Stage.Segment empty) {
    return new Place(
        empty.input(),
        empty.id().equals(RESULTS) ? Set.of(RESULTS) : exits.getOrDefault(empty.input(), Set.of()));
  }

  private List<Stage> find() {
    LogicalOperator last = program.operators().getLast();
    findExits(last);
    for (LogicalOperator operator : program.operators()) {
      if (operator.isPerDocument()) {
        chains.computeIfAbsent(key(operator), _ -> new ArrayList<>()).add(operator);
      }
    }
    List<Stage> stages = new ArrayList<>(entries());
    Set<Place> done = new LinkedHashSet<>();
    // A segment takes the position of its last operator, so that its input precedes it.
    for (LogicalOperator operator : program.operators()) {
      if (!operator.isPerDocument()) {
        stages.add(
            new Stage.Stateful(operator, operator.inputs().stream().map(this::stageOf).toList()));
      } else if (tail(key(operator)).equals(operator.id()) && done.add(key(operator))) {
        stages.add(segment(key(operator)));
      }
    }
    if (!last.isPerDocument()) {
      stages.add(new Stage.Segment(RESULTS, last.id(), List.of()));
    }
    return stages;
  }

  private void findExits(LogicalOperator last) {
    for (LogicalOperator operator : program.operators().reversed()) {
      Set<String> ways = exits.computeIfAbsent(operator.id(), _ -> new TreeSet<>());
      if (operator.equals(last)) {
        ways.add(RESULTS);
      }
      if (ways.isEmpty()) {
        throw new IllegalArgumentException(
            "the output of '%s' goes nowhere; take it as an 'input', or remove it"
                .formatted(operator.id()));
      }
      for (int side = 0; side < operator.inputs().size(); side++) {
        Set<String> before =
            exits.computeIfAbsent(operator.inputs().get(side), _ -> new TreeSet<>());
        if (operator.isPerDocument()) {
          before.addAll(ways);
        } else {
          before.add(operator.id() + "/" + side);
        }
      }
    }
    for (Source source : program.sources()) {
      if (!exits.containsKey(source.name())) {
        throw new IllegalArgumentException(
            "no operator takes the source '%s'".formatted(source.name()));
      }
    }
  }

  private Place key(LogicalOperator operator) {
    return new Place(root(operator.id()), exits.getOrDefault(operator.id(), Set.of()));
  }

  /** The source or stateful operator from which the documents of an operator come. */
  private String root(String name) {
    LogicalOperator operator = byId.get(name);
    if (operator == null || !operator.isPerDocument()) {
      return name;
    }
    String root = root(operator.input());
    if (operator instanceof Merge merge && !root(merge.with()).equals(root)) {
      throw new IllegalArgumentException(
          "join '%s' has no 'within', but its two sides come from different streams ('%s', '%s')"
              .formatted(merge.id(), root, root(merge.with())));
    }
    return root;
  }

  /** Id of the last operator of a chain. */
  private String tail(Place key) {
    return chains.getOrDefault(key, List.of()).getLast().id();
  }

  /** The stage that emits the documents of a source or operator. */
  private String stageOf(String node) {
    LogicalOperator operator = byId.get(node);
    return operator == null || !operator.isPerDocument() ? node : tail(key(operator));
  }

  /** Segments without operators for sources that several stages or a stateful operator read. */
  private List<Stage> entries() {
    List<Stage> entries = new ArrayList<>();
    for (Source source : program.sources()) {
      Set<String> readers = new LinkedHashSet<>();
      boolean stateful = false;
      for (LogicalOperator operator : program.operators()) {
        if (operator.inputs().contains(source.name())) {
          stateful |= !operator.isPerDocument();
          readers.add(operator.isPerDocument() ? tail(key(operator)) : operator.id());
        }
      }
      if (stateful || readers.size() > 1) {
        // Stamps each document once, regardless of the number of readers.
        entries.add(new Stage.Segment(source.name(), source.name(), List.of()));
      }
    }
    return entries;
  }

  private Stage segment(Place key) {
    List<LogicalOperator> chain = chains.getOrDefault(key, List.of());
    Set<String> inputs = new LinkedHashSet<>();
    boolean merged = false;
    for (LogicalOperator operator : chain) {
      merged |= operator instanceof Merge;
      for (String input : operator.inputs()) {
        if (chain.stream().noneMatch(other -> other.id().equals(input))) {
          inputs.add(stageOf(input));
        }
      }
    }
    if (inputs.size() != 1) {
      throw new IllegalArgumentException(
          "the operators before '%s' come from %s; join them first"
              .formatted(chain.getLast().id(), String.join(" and ", inputs)));
    }
    if (!merged) {
      checkOneChain(chain);
    } else {
      checkBranches(chain);
    }
    return new Stage.Segment(chain.getLast().id(), inputs.iterator().next(), chain);
  }

  /** Refuses two operators on one input that are never merged: they would be two outputs. */
  private static void checkOneChain(List<LogicalOperator> chain) {
    Map<String, String> takenBy = new HashMap<>();
    for (LogicalOperator operator : chain) {
      String other = takenBy.put(operator.input(), operator.id());
      if (other != null) {
        throw new IllegalArgumentException(
            "'%s' and '%s' both take '%s' and are never joined"
                .formatted(other, operator.id(), operator.input()));
      }
    }
  }

  private void checkBranches(List<LogicalOperator> chain) {
    for (LogicalOperator operator : chain) {
      if (operator instanceof Project && isInBranch(operator, chain)) {
        throw new IllegalArgumentException(
            "'%s' takes fields away in a branch that is joined again; put it after the join"
                .formatted(operator.id()));
      }
    }
  }

  /** Whether a merge comes after the operator. */
  private static boolean isInBranch(LogicalOperator operator, List<LogicalOperator> chain) {
    int at = chain.indexOf(operator);
    return chain.subList(at + 1, chain.size()).stream().anyMatch(Merge.class::isInstance);
  }
}
