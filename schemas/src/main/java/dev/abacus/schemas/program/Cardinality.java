package dev.abacus.schemas.program;

/** How many outputs a map makes of one document. */
public enum Cardinality {
  /** Exactly one: the document with the written fields added. */
  ONE,
  /** Any number, none among them: a copy of the document for each. */
  MANY;

  /** The word that programs use. */
  public String label() {
    return this == ONE ? "one" : "many";
  }
}
