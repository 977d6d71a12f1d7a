package dev.abacus.schemas.program;

/** What becomes of a document that matches nothing. */
public enum JoinKind {
  /** It yields nothing. */
  INNER,
  /** It goes on, without a match. */
  LEFT;

  /** The word that programs use. */
  public String label() {
    return this == INNER ? "inner" : "left";
  }
}
