package dev.abacus.schemas.program;

/** What a join does with a document without a match. */
public enum JoinKind {
  /** Drops it. */
  INNER,
  /** Emits it without a match. */
  LEFT;

  /** The keyword in programs. */
  public String label() {
    return this == INNER ? "inner" : "left";
  }
}
