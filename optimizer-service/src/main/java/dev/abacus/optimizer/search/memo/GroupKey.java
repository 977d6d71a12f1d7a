package dev.abacus.optimizer.search.memo;

import java.util.BitSet;
import java.util.function.Consumer;

/**
 * The identity of a group: what its documents start from, and the operators applied since, those of
 * its branches and sides included. The order of operators is not part of the key, because all legal
 * orders give the same documents (paper, section 3.1).
 *
 * @param chain number of a chain of the {@link ProgramGraph}
 * @param operators positions in the program as written; not to be changed
 */
public record GroupKey(int chain, BitSet operators) {

  // Explicit methods instead of those of the record: the latter are linked at their first use,
  // which slows down the first search of a process.

  @Override
  public boolean equals(Object other) {
    return other instanceof GroupKey key && chain == key.chain && operators.equals(key.operators);
  }

  @Override
  public int hashCode() {
    return 31 * operators.hashCode() + chain;
  }

  /** Whether the operator at a position is applied. */
  public boolean contains(int position) {
    return operators.get(position);
  }

  /** Whether no operator is applied: the group is the base of its chain. */
  public boolean isEmpty() {
    return operators.isEmpty();
  }

  /** The number of operators. */
  public int size() {
    return operators.cardinality();
  }

  /** The key of this group with one more operator. */
  public GroupKey with(int position) {
    return changed(more -> more.set(position));
  }

  /** The key of this group with the operators of another group. */
  public GroupKey with(GroupKey other) {
    return changed(more -> more.or(other.operators));
  }

  /** The key of this group without an operator. */
  public GroupKey without(int position) {
    return changed(fewer -> fewer.clear(position));
  }

  /** The key of this group without the operators of another group. */
  public GroupKey without(GroupKey other) {
    return changed(fewer -> fewer.andNot(other.operators));
  }

  private GroupKey changed(Consumer<BitSet> change) {
    BitSet changed = (BitSet) operators.clone();
    change.accept(changed);
    return new GroupKey(chain, changed);
  }

  /** Whether all operators of another group are applied. */
  public boolean containsAll(GroupKey other) {
    return other.without(this).isEmpty();
  }
}
