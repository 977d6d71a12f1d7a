package dev.abacus.topology.operator.join;

import dev.abacus.topology.operator.OperatorFailedException;
import org.jspecify.annotations.Nullable;

/** The references of a program by name. */
@FunctionalInterface
public interface References {

  /** No references. */
  References NONE = _ -> null;

  /** The reference of this name; null if there is none. */
  @Nullable ReferenceView find(String name);

  /**
   * The reference of this name.
   *
   * @throws OperatorFailedException if there is none
   */
  default ReferenceView require(String name) throws OperatorFailedException {
    ReferenceView found = find(name);
    if (found == null) {
      throw OperatorFailedException.unusablePlan("there is no reference '" + name + "'");
    }
    return found;
  }
}
