package dev.abacus.schemas.program;

import dev.abacus.schemas.input.Keyword;

/** What a join does with a document without a match. */
public enum JoinKind implements Keyword {
  /** Drops it. */
  INNER,
  /** Emits it without a match. */
  LEFT
}
