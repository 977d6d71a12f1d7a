package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * A field by which documents are ordered. Numbers are before texts, and texts before booleans;
 * descending, it is the other way round. A missing field and null are last in both directions.
 *
 * @param name of the field
 * @param descending whether larger values come first
 */
public record SortField(String name, boolean descending) {

  public SortField {
    if (name.isBlank()) {
      throw new IllegalArgumentException("'order' names an empty field");
    }
  }

  /** Parses {@code amount}, {@code amount asc} or {@code amount desc}. */
  public static SortField parse(String text) {
    String bare = text.strip();
    boolean descending = bare.endsWith(" desc");
    return descending || bare.endsWith(" asc")
        ? new SortField(bare.substring(0, bare.lastIndexOf(' ')).strip(), descending)
        : new SortField(bare, false);
  }

  /** The form that {@link #parse} reads. */
  @JsonValue
  public String text() {
    return name + (descending ? " desc" : " asc");
  }
}
