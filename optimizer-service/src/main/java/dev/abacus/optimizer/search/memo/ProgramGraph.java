package dev.abacus.optimizer.search.memo;

import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.schemas.program.StreamJoin;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a program as chains. A join of streams starts a chain with two other chains side
 * by side. A merge is an operator of its chain that applies two other chains, its branches, to each
 * document.
 *
 * <pre>{@code
 * messages ─► filter ─► map ─┐                    (left beside right) ─► join ─► map
 *                            ├─► join ─► map        left:  messages ─► filter ─► map
 * calls ──────────────► map ─┘                      right: calls ─► map
 *
 *           ┌─► map a ─┐                          docs ─► merge (left beside right) ─► filter
 *   docs ───┤          ├─► merge ─► filter          left:  a document ─► map a
 *           └─► map b ─┘                            right: a document ─► map b
 * }</pre>
 *
 * <p>Equivalent programs give a join or merge further pairs of chains.
 *
 * <p>A program is nested if each operator belongs to one chain. Otherwise an operator feeds two
 * sides that are not split at one node; then all operators but merges form one chain.
 */
public final class ProgramGraph {

  /** The number of the chain that ends with the results. */
  public static final int MAIN = 0;

  private final List<LogicalOperator> written;
  private final List<LogicalOperator> operators;
  private final GroupKey whole;
  private final boolean nested;

  /** By position of a join or merge: the groups of its sides. */
  private final Map<Integer, Set<GroupKey>> contents = new HashMap<>();

  /** By group of two sides: how they are divided. */
  private final Map<GroupKey, Set<Sides>> sides = new HashMap<>();

  /** By chain: the operators that it may contain itself. */
  private final Map<Integer, BitSet> members = new HashMap<>();

  private final Map<Integer, String> sources = new HashMap<>();

  /** Two chains side by side. */
  public record Sides(GroupKey left, GroupKey right) {}

  private ProgramGraph(List<Program> equivalent) {
    Program program = equivalent.getFirst();
    this.written = program.operators();
    BitSet all = new BitSet();
    all.set(0, written.size());
    this.nested = new Chains(program).addAll();
    if (nested) {
      equivalent.forEach(other -> new Chains(other).addAll());
    } else {
      for (int position = 0; position < written.size(); position++) {
        all.set(position, !(written.get(position) instanceof Merge));
      }
      members.put(MAIN, all);
    }
    this.whole = new GroupKey(MAIN, all);
    this.operators = new ArrayList<>(written);
    contents.keySet().forEach(position -> operators.set(position, standIn(position)));
  }

  /**
   * The chains of programs that mean the same.
   *
   * @param equivalent programs with the same operators, connected in other ways; the first one as
   *     written
   */
  public static ProgramGraph of(List<Program> equivalent) {
    return new ProgramGraph(equivalent);
  }

  /** The number of the chain of both sides of a join or merge. */
  public static int both(int position) {
    return 1 + 3 * position;
  }

  /** The number of the chain of the left side of a join or merge. */
  public static int left(int position) {
    return 2 + 3 * position;
  }

  /** The number of the chain of the right side of a join or merge. */
  public static int right(int position) {
    return 3 + 3 * position;
  }

  /** The position of the join or merge of which a chain is a side, or both. */
  public static int divider(int chain) {
    return (chain - 1) / 3;
  }

  /** Reads the chains of one program from the results up. */
  private final class Chains {

    private final Map<String, LogicalOperator> connected = new HashMap<>();
    private final List<LogicalOperator> order;
    private final String end;
    private final BitSet placed = new BitSet();
    private final Map<Integer, BitSet> own = new HashMap<>();
    private final Map<Integer, Sides> pairs = new HashMap<>();
    private final Map<Integer, String> starts = new HashMap<>();
    private boolean separate = true;

    Chains(Program program) {
      this.order = program.operators();
      this.end = order.isEmpty() ? program.sources().getFirst().name() : order.getLast().id();
      order.forEach(operator -> connected.put(operator.id(), operator));
    }

    /** Adds the chains to the graph; false if an operator does not belong to one chain. */
    boolean addAll() {
      chain(MAIN, end, null);
      if (!separate || placed.cardinality() < written.size()) {
        return false;
      }
      own.forEach(
          (chain, operators) -> members.computeIfAbsent(chain, _ -> new BitSet()).or(operators));
      sources.putAll(starts);
      pairs.forEach((position, pair) -> {
        GroupKey content =
            new GroupKey(both(position), new BitSet()).with(pair.left()).with(pair.right());
        contents.computeIfAbsent(position, _ -> new LinkedHashSet<>()).add(content);
        sides.computeIfAbsent(content, _ -> new LinkedHashSet<>()).add(pair);
      });
      return true;
    }

    /**
     * Reads the chain that ends with a node.
     *
     * @param base the node whose documents the chain starts with; null if it starts with a source
     * @return the chain with all of its operators
     */
    private GroupKey chain(int chain, String last, @Nullable String base) {
      GroupKey key = new GroupKey(chain, new BitSet());
      BitSet members = own.computeIfAbsent(chain, _ -> new BitSet());
      String at = last;
      LogicalOperator operator = connected.get(at);
      while (operator != null && !at.equals(base)) {
        int position = position(at);
        separate &= !placed.get(position) && (base == null || operator.isPerDocument());
        if (!separate) {
          return key;
        }
        placed.set(position);
        members.set(position);
        key = key.with(position);
        at = operator.input();
        if (operator instanceof StreamJoin || operator instanceof Merge) {
          at = operator instanceof Merge ? split(operator) : "";
          key = sides(operator, position, operator instanceof Merge ? at : null, key);
        }
        operator = connected.get(at);
      }
      separate &= base == null || at.equals(base);
      if (base == null) {
        starts.put(chain, at);
      }
      return key;
    }

    private GroupKey sides(
        LogicalOperator operator, int position, @Nullable String base, GroupKey key) {
      GroupKey left = chain(left(position), operator.inputs().getFirst(), base);
      GroupKey right = chain(right(position), operator.inputs().getLast(), base);
      pairs.put(position, new Sides(left, right));
      return key.with(left).with(right);
    }

    /** The node at which the branches of a merge are split. */
    private String split(LogicalOperator merge) {
      Set<String> right = BranchFields.upstream(merge.inputs().getLast(), order);
      String at = merge.input();
      for (LogicalOperator below = connected.get(at); below != null && !right.contains(at); ) {
        at = below.input();
        below = connected.get(at);
      }
      separate &= right.contains(at);
      return at;
    }
  }

  /**
   * An operator that reads and writes what the operators of both sides may, with any number of
   * outputs: no limit may pass it.
   */
  private LogicalOperator standIn(int position) {
    LogicalOperator operator = written.get(position);
    if (!(operator instanceof Merge)) {
      return operator;
    }
    Set<String> reads = new TreeSet<>();
    Set<String> writes = new TreeSet<>();
    boolean readsAll = false;
    for (int at : operatorsOfSides(position).stream().toArray()) {
      LogicalOperator one = written.get(at);
      if (!(one instanceof Merge)) {
        readsAll |= one.reads().isEmpty();
        reads.addAll(one.reads());
        writes.addAll(one.writtenFields());
      }
    }
    List<String> read = readsAll ? List.of() : List.copyOf(reads);
    if (writes.isEmpty()) {
      return new SemanticFilter(operator.id(), operator.input(), "both branches", read);
    }
    List<Field> fields = new ArrayList<>();
    writes.forEach(
        name -> fields.add(new Field(name, new FieldType.StringType(List.of()), "", false)));
    return new SemanticMap(
        operator.id(), operator.input(), "both branches", read, fields, Cardinality.MANY);
  }

  private int position(String id) {
    for (int position = 0; position < written.size(); position++) {
      if (written.get(position).id().equals(id)) {
        return position;
      }
    }
    throw new IllegalArgumentException("no operator '" + id + "'");
  }

  /** The operators as written. */
  public List<LogicalOperator> written() {
    return written;
  }

  /**
   * The operators as rules see them, by position: a merge reads and writes what the operators of
   * its branches do.
   */
  public List<LogicalOperator> operators() {
    return operators;
  }

  /** The key of the complete program. */
  public GroupKey whole() {
    return whole;
  }

  /** Whether each operator belongs to one chain. */
  public boolean isNested() {
    return nested;
  }

  /** Whether some operators run side by side. */
  public boolean hasSides() {
    return !contents.isEmpty();
  }

  /** The positions of the operators of a group that its chain contains itself. */
  public BitSet members(GroupKey key) {
    BitSet own = (BitSet) key.operators().clone();
    own.and(members.getOrDefault(key.chain(), new BitSet()));
    return own;
  }

  /** Whether an operator is a merge with branches. */
  public boolean isMerge(int position) {
    return written.get(position) instanceof Merge && contents.containsKey(position);
  }

  /** The operators that may run in the sides of a join or the branches of a merge. */
  public BitSet operatorsOfSides(int position) {
    BitSet inside = new BitSet();
    contents(position).forEach(content -> inside.or(content.operators()));
    return inside;
  }

  /** The number of the chain of an operator; of several, the smallest. */
  public int chainOf(int position) {
    int smallest = Integer.MAX_VALUE;
    for (Map.Entry<Integer, BitSet> chain : members.entrySet()) {
      smallest = chain.getValue().get(position) ? Math.min(smallest, chain.getKey()) : smallest;
    }
    return smallest == Integer.MAX_VALUE ? MAIN : smallest;
  }

  /** Whether operators can move behind an operator: a segment is there. */
  public boolean hasSegmentAfter(int position) {
    LogicalOperator operator = written.get(position);
    return operator.isPerDocument()
        || written.stream()
            .noneMatch(
                reader -> !reader.isPerDocument() && reader.inputs().contains(operator.id()));
  }

  /** Whether an equivalent program has an operator in another chain. */
  public boolean isMovable(int position) {
    return members.values().stream().filter(chain -> chain.get(position)).count() > 1;
  }

  /** The groups of the two sides of a join or of the branches of a merge; empty for others. */
  public Set<GroupKey> contents(int position) {
    return contents.getOrDefault(position, Set.of());
  }

  /** The ways to divide the operators of a group into two sides; empty if it has no sides. */
  public Set<Sides> sides(GroupKey key) {
    return sides.getOrDefault(key, Set.of());
  }

  /** The source that a chain reads; empty if it reads no source. */
  public String source(int chain) {
    return sources.getOrDefault(chain, "");
  }
}
