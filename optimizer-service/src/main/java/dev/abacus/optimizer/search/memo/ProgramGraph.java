package dev.abacus.optimizer.search.memo;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.StreamJoin;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the operators of a program hang together.
 *
 * <pre>{@code
 * messages ──► filter ──► map ──┐
 *                               ├──► join ──► map          sides of the join: {filter, map}, {map}
 * calls ────────────────► map ──┘
 * }</pre>
 *
 * <p>A {@link Merge} does nothing that can be planned: the branches that it joins carry one
 * document, and run one after the other. So it has no position; {@link #merges} says where it is.
 */
public final class ProgramGraph {

  private final List<LogicalOperator> operators = new ArrayList<>();
  private final List<Merged> merges = new ArrayList<>();
  private final Map<String, GroupKey> upTo = new HashMap<>();
  private final Map<Integer, Sides> sides = new HashMap<>();
  private final GroupKey whole;

  /** What comes into the two sides of a join of streams. */
  public record Sides(GroupKey left, GroupKey right) {}

  /** A merge, and what must be done before it. */
  public record Merged(Merge operator, GroupKey branches) {}

  private ProgramGraph(Program program) {
    for (Source source : program.sources()) {
      upTo.put(source.name(), new GroupKey(Set.of(source.name()), new BitSet()));
    }
    Set<String> sources = new HashSet<>();
    for (Source source : program.sources()) {
      sources.add(source.name());
    }
    GroupKey last = new GroupKey(sources, new BitSet());
    for (LogicalOperator operator : program.operators()) {
      last = add(operator);
      upTo.put(operator.id(), last);
    }
    this.whole = last;
  }

  public static ProgramGraph of(Program program) {
    return new ProgramGraph(program);
  }

  private GroupKey add(LogicalOperator operator) {
    List<GroupKey> inputs = new ArrayList<>();
    for (String name : operator.inputs()) {
      inputs.add(upTo(name));
    }
    GroupKey input = inputs.getFirst();
    for (GroupKey other : inputs.subList(1, inputs.size())) {
      input = input.with(other);
    }
    if (operator instanceof Merge merge) {
      merges.add(new Merged(merge, input));
      return input;
    }
    int position = operators.size();
    operators.add(operator);
    if (operator instanceof StreamJoin) {
      GroupKey left = inputs.getFirst();
      GroupKey right = inputs.getLast();
      if (!left.operators().intersects(right.operators())) {
        sides.put(position, new Sides(left, right));
      }
    }
    return input.with(position);
  }

  private GroupKey upTo(String name) {
    GroupKey key = upTo.get(name);
    if (key == null) {
      throw new IllegalArgumentException("there is no source or operator '" + name + "'");
    }
    return key;
  }

  /** The operators that are planned, in the order written: all but merges. */
  public List<LogicalOperator> operators() {
    return List.copyOf(operators);
  }

  /** The merges, in the order written. */
  public List<Merged> merges() {
    return List.copyOf(merges);
  }

  /** All of the program. */
  public GroupKey whole() {
    return whole;
  }

  /**
   * The sides of a join of streams; null for other operators. Also null where both sides go through
   * the same operators: these have one implementation, whichever side they are seen from, so the
   * sides cannot be planned apart, and run one after the other as far as the search knows.
   */
  public @Nullable Sides sides(int position) {
    return sides.get(position);
  }

  /** Whether some join has sides of their own. */
  public boolean isTree() {
    return !sides.isEmpty();
  }
}
