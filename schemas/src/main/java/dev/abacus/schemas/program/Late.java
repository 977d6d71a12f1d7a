package dev.abacus.schemas.program;

/** What becomes of a document that comes after its window has closed. */
public enum Late {
  DEAD_LETTER,
  /** It is dropped, and counted. */
  DROP;

  /** The word that programs use. */
  public String label() {
    return this == DROP ? "drop" : "dead-letter";
  }
}
