package dev.abacus.topology.operator.join;

import org.jspecify.annotations.Nullable;

/** The references of a program by name. */
@FunctionalInterface
public interface References {

  /** No references. */
  References NONE = _ -> null;

  /** The reference of this name; null if there is none. */
  @Nullable ReferenceView find(String name);
}
