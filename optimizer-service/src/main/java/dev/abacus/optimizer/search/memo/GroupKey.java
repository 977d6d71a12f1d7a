package dev.abacus.optimizer.search.memo;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * The identity of a group: sources, and the operators applied to them. The order of operators is
 * not part of the key, because all legal orders give the same documents (paper, section 3.1).
 *
 * @param sources names
 * @param operators positions in the program as written
 */
public record GroupKey(Set<String> sources, BitSet operators) {

  public GroupKey {
    sources = Set.copyOf(sources);
    operators = (BitSet) operators.clone();
  }

  @Override
  public BitSet operators() {
    return (BitSet) operators.clone();
  }

  // Explicit methods instead of those of the record: the latter are linked at their first use,
  // which
  // slows down the first search of a process.

  @Override
  public boolean equals(Object other) {
    return other instanceof GroupKey key
        && operators.equals(key.operators)
        && sources.equals(key.sources);
  }

  @Override
  public int hashCode() {
    return 31 * operators.hashCode() + sources.hashCode();
  }

  /** Whether the operator at a position is applied. */
  public boolean contains(int position) {
    return operators.get(position);
  }

  /** Whether no operator is applied: the group is a source. */
  public boolean isEmpty() {
    return operators.isEmpty();
  }

  /** The key of this group with one more operator. */
  public GroupKey with(int position) {
    BitSet more = operators();
    more.set(position);
    return new GroupKey(sources, more);
  }

  /** The key with the operators and sources of both. */
  public GroupKey with(GroupKey other) {
    BitSet more = operators();
    more.or(other.operators);
    Set<String> both = new HashSet<>(sources);
    both.addAll(other.sources);
    return new GroupKey(both, more);
  }

  /** The key of this group without an operator. */
  public GroupKey without(int position) {
    BitSet fewer = operators();
    fewer.clear(position);
    return new GroupKey(sources, fewer);
  }
}
