package dev.abacus.schemas.program;

import java.util.Locale;

/** In which order results leave. */
public enum Ordering {
  /** Results of one record key leave in the order their documents came. */
  KEY,
  /** Results leave as they are done. */
  NONE;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
