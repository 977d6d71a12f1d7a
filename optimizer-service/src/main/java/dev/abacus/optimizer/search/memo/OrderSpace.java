package dev.abacus.optimizer.search.memo;

import dev.abacus.optimizer.search.rule.transformation.TransformationRules;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Selects the operators that the search tries as the root (the last operator) of a group.
 *
 * <p>An operator is a legal root if the transformation rules let it pass every later operator of
 * the group, see {@link TransformationRules#mayExchange}. One legal root is enough if it goes well
 * after every other operator of the group that it may pass ({@link Rank#goesWellAfter}): for any
 * order and any implementations, moving it to the top, one exchange at a time, makes no metric
 * worse.
 *
 * <p>So independent maps have one order instead of n!, filters go below the maps that they do not
 * need, and filters with disjoint rank intervals are sorted. The search enumerates the rest.
 */
public final class OrderSpace {

  /** Which orders the search enumerates. */
  public enum Extent {
    /** Every legal order. */
    ALL,
    /** Only orders that are better than the others for some choice of implementations. */
    WORTHWHILE,
    /** One order, by rank; exact only if the order makes no difference. */
    SINGLE
  }

  private final ProgramGraph graph;
  private final List<LogicalOperator> operators;
  private final List<Rank> ranks;
  private final Extent extent;

  /** By position: the later operators that may not pass the operator. */
  private final BitSet[] directlyAfter;

  /** By position: all operators that must come before it, directly or indirectly. */
  private final BitSet[] before;

  /** Operators that may also run in another chain: the search tries each of their places. */
  private final BitSet movable = new BitSet();

  /**
   * The orders of a program.
   *
   * @param ranks by position of the operator
   */
  public OrderSpace(ProgramGraph graph, List<Rank> ranks, Extent extent) {
    this.graph = graph;
    this.operators = graph.operators();
    this.ranks = ranks;
    this.extent = extent;
    this.directlyAfter = new BitSet[operators.size()];
    this.before = new BitSet[operators.size()];
    for (int upper = 0; upper < operators.size(); upper++) {
      directlyAfter[upper] = new BitSet();
      before[upper] = new BitSet();
      movable.set(upper, graph.isMovable(upper));
      for (int lower = upper - 1; lower >= 0; lower--) {
        if (!graph.hasSegmentAfter(upper)
            || (graph.isMerge(lower) && operators.get(upper) instanceof Project)
            || !TransformationRules.mayExchange(operators.get(upper), operators.get(lower))) {
          directlyAfter[lower].set(upper);
          before[upper].set(lower);
          before[upper].or(before[lower]);
        }
      }
    }
  }

  /**
   * Positions of the root operators to try in a group, the last written one first; none for a
   * source.
   */
  List<Integer> roots(GroupKey key) {
    BitSet group = graph.members(key);
    List<Integer> legal = legalRoots(key);
    if (extent == Extent.ALL || legal.size() < 2) {
      return legal;
    }
    int enough = -1;
    for (int root : legal) {
      if (isEnough(root, group) && (enough < 0 || isPreferred(root, enough))) {
        enough = root;
      }
    }
    if (enough >= 0) {
      return List.of(enough);
    }
    return extent == Extent.WORTHWHILE ? legal : List.of(highest(legal));
  }

  /** Whether an operator may be the root above a group: none of it must come after the root. */
  boolean mayFollow(int position, GroupKey below) {
    return !directlyAfter[position].intersects(graph.members(below));
  }

  private List<Integer> legalRoots(GroupKey key) {
    BitSet group = graph.members(key);
    List<Integer> roots = new ArrayList<>();
    for (int position : group.stream().toArray()) {
      Set<GroupKey> contents = graph.contents(position);
      boolean legal = contents.isEmpty() && !directlyAfter[position].intersects(group);
      for (GroupKey content : contents) {
        legal |= key.containsAll(content) && mayFollow(position, key.without(content));
      }
      if (legal) {
        roots.add(position);
      }
    }
    if (!roots.isEmpty() && roots.getLast() == group.length() - 1) {
      roots.addFirst(roots.removeLast());
    }
    return roots;
  }

  private boolean isEnough(int root, BitSet group) {
    if (movable.get(root) || (!graph.contents(root).isEmpty() && movable.intersects(group))) {
      return false;
    }
    BitSet passed = (BitSet) group.clone();
    passed.andNot(before[root]);
    passed.clear(root);
    for (int other = passed.nextSetBit(0); other >= 0; other = passed.nextSetBit(other + 1)) {
      if (!ranks.get(root).goesWellAfter(ranks.get(other))) {
        return false;
      }
    }
    return true;
  }

  private int highest(List<Integer> roots) {
    int highest = roots.getFirst();
    for (int root : roots) {
      int order = Double.compare(ranks.get(root).middle(), ranks.get(highest).middle());
      if (order > 0 || (order == 0 && isPreferred(root, highest))) {
        highest = root;
      }
    }
    return highest;
  }

  /** Maps are preferred over filters, then later operators over earlier ones. */
  private boolean isPreferred(int root, int other) {
    return isFilter(root) == isFilter(other) ? root > other : !isFilter(root);
  }

  private boolean isFilter(int position) {
    return operators.get(position) instanceof SemanticFilter;
  }
}
