package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a join does with a document without a match. */
public enum JoinKind {
  /** Drops it. */
  INNER,
  /** Emits it without a match. */
  LEFT;

  /** The keyword in programs. */
  @JsonValue
  public String label() {
    return this == INNER ? "inner" : "left";
  }
}
