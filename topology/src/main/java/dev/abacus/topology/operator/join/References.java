package dev.abacus.topology.operator.join;

import org.jspecify.annotations.Nullable;

/** The references of a program, as its operators see them. */
@FunctionalInterface
public interface References {

  /** None at all. */
  References NONE = _ -> null;

  /** The reference of that name, or null. */
  @Nullable ReferenceView find(String name);
}
