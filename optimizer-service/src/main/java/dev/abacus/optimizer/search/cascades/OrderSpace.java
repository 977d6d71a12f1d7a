package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.rule.transformation.TransformationRules;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which operators are worth trying last in a group. Legal are those that nothing in the group has
 * to come after, as the transformation rules say of each pair. Of these one is enough where it goes
 * well after every other operator of the group that it may pass: whatever order and choice of
 * implementations there is, moving it up to the top, one neighbour at a time, makes nothing worse.
 *
 * <p>So independent maps have one order and not n!, filters go below the maps that they do not
 * need, and filters whose ranks do not overlap are sorted; only what is left is searched.
 */
final class OrderSpace {

  /** How far orders are collapsed. */
  enum Extent {
    /** Every legal order. */
    ALL,
    /** Orders that may be better than others for some choice of implementations. */
    WORTHWHILE,
    /** One order, by rank. Exact only where order makes no difference. */
    SINGLE
  }

  private final ProgramGraph layout;
  private final List<LogicalOperator> operators;
  private final List<Rank> ranks;
  private final Extent extent;

  /** By position: the earlier operators that it may not pass. */
  private final BitSet[] directlyBefore;

  /** By position: all that must come before it, directly or not. */
  private final BitSet[] before;

  OrderSpace(ProgramGraph layout, List<Rank> ranks, Extent extent) {
    this.layout = layout;
    this.operators = layout.operators();
    this.ranks = ranks;
    this.extent = extent;
    this.directlyBefore = new BitSet[operators.size()];
    this.before = new BitSet[operators.size()];
    for (int upper = 0; upper < operators.size(); upper++) {
      directlyBefore[upper] = new BitSet();
      before[upper] = new BitSet();
      for (int lower = upper - 1; lower >= 0; lower--) {
        if (!TransformationRules.mayExchange(operators.get(upper), operators.get(lower))) {
          directlyBefore[upper].set(lower);
          before[upper].set(lower);
          before[upper].or(before[lower]);
        }
      }
    }
  }

  /** Positions of the operators to try last in a group, in a stable order; none for a source. */
  List<Integer> tops(GroupKey key) {
    List<Integer> legal = legalTops(key.operators());
    if (extent == Extent.ALL || legal.size() < 2) {
      return legal;
    }
    BitSet group = key.operators();
    int enough = -1;
    for (int top : legal) {
      if (isEnough(top, group) && (enough < 0 || isPreferred(top, enough))) {
        enough = top;
      }
    }
    if (enough >= 0) {
      return List.of(enough);
    }
    return extent == Extent.WORTHWHILE ? legal : List.of(highest(legal));
  }

  /** Whether there are no more groups than this to explore. */
  boolean isWithin(int most) {
    Set<GroupKey> seen = new HashSet<>();
    Deque<GroupKey> open = new ArrayDeque<>(List.of(layout.whole()));
    while (!open.isEmpty() && seen.size() <= most) {
      GroupKey key = open.pop();
      if (seen.add(key)) {
        for (int top : tops(key)) {
          ProgramGraph.Sides sides = layout.sides(top);
          if (sides == null) {
            open.push(key.without(top));
          } else {
            open.push(sides.left());
            open.push(sides.right());
          }
        }
      }
    }
    return seen.size() <= most;
  }

  private List<Integer> legalTops(BitSet group) {
    List<Integer> tops = new ArrayList<>();
    BitSet needed = new BitSet();
    for (int position = group.length() - 1; position >= 0; position--) {
      if (group.get(position)) {
        if (!needed.get(position)) {
          tops.add(position);
        }
        needed.or(directlyBefore[position]);
      }
    }
    return tops;
  }

  private boolean isEnough(int top, BitSet group) {
    BitSet passed = (BitSet) group.clone();
    passed.andNot(before[top]);
    passed.clear(top);
    for (int other = passed.nextSetBit(0); other >= 0; other = passed.nextSetBit(other + 1)) {
      if (!ranks.get(top).goesWellAfter(ranks.get(other))) {
        return false;
      }
    }
    return true;
  }

  private int highest(List<Integer> tops) {
    int highest = tops.getFirst();
    for (int top : tops) {
      int order = Double.compare(ranks.get(top).middle(), ranks.get(highest).middle());
      if (order > 0 || (order == 0 && isPreferred(top, highest))) {
        highest = top;
      }
    }
    return highest;
  }

  /** Maps go before filters, later operators before earlier ones. */
  private boolean isPreferred(int top, int other) {
    return isFilter(top) == isFilter(other) ? top > other : !isFilter(top);
  }

  private boolean isFilter(int position) {
    return operators.get(position) instanceof SemanticFilter;
  }
}
