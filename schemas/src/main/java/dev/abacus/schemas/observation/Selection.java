package dev.abacus.schemas.observation;

import dev.abacus.schemas.input.Keyword;

/**
 * What was chosen because of the answers that a document got. Whoever chooses prefers documents
 * with wrong answers, so their mean score says nothing about the stream.
 */
public enum Selection implements Keyword {
  /**
   * Nothing: the document is given, or drawn without regard to its answers, and so is its label.
   */
  NONE,
  /** The document was drawn, then its label was asked for, or sent, because of its answers. */
  LABEL,
  /** The document: someone sent a corrected result without a request. */
  DOCUMENT
}
