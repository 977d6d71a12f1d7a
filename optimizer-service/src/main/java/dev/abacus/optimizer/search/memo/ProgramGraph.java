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
 * The operators of a program and how they are connected.
 *
 * <pre>{@code
 * messages ──► filter ──► map ──┐
 *                               ├──► join ──► map          sides of the join: {filter, map}, {map}
 * calls ────────────────► map ──┘
 * }</pre>
 *
 * <p>A {@link Merge} has no position, because there is nothing to plan: its branches carry one
 * document and run one after the other. {@link #merges} lists the merges with their branches.
 */
public final class ProgramGraph {

  private final List<LogicalOperator> operators = new ArrayList<>();
  private final List<Merged> merges = new ArrayList<>();
  private final Map<String, GroupKey> upTo = new HashMap<>();
  private final Map<Integer, Sides> sides = new HashMap<>();
  private final GroupKey whole;

  /** The inputs of the two sides of a join of streams. */
  public record Sides(GroupKey left, GroupKey right) {}

  /** A merge, and the operators that come before it. */
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
      throw new IllegalArgumentException("no source or operator '" + name + "'");
    }
    return key;
  }

  /** The operators in program order, without merges. */
  public List<LogicalOperator> operators() {
    return List.copyOf(operators);
  }

  /** The merges in program order. */
  public List<Merged> merges() {
    return List.copyOf(merges);
  }

  /** The key of the complete program. */
  public GroupKey whole() {
    return whole;
  }

  /**
   * The sides of a join of streams; null for other operators. Also null if both sides share an
   * operator: it has one implementation for both, so the sides cannot be planned separately. The
   * search then treats them as one chain.
   */
  public @Nullable Sides sides(int position) {
    return sides.get(position);
  }

  /** Whether a join has two separately planned sides. */
  public boolean isTree() {
    return !sides.isEmpty();
  }
}
