package dev.abacus.schemas.program;

import java.util.Arrays;
import java.util.List;

/**
 * Ids of operators that no program names, because a rule made them of others: {@code a+b} does the
 * work of {@code a} and {@code b} in one; {@code f.1} and {@code f.2} do that of {@code f} in
 * parts.
 */
public final class DerivedIds {

  private DerivedIds() {}

  /** The id of an operator that does the work of several. */
  public static String fused(List<String> ids) {
    return String.join("+", ids);
  }

  /** The id of the n-th part of an operator, counted from 1. */
  public static String part(String id, int number) {
    return id + "." + number;
  }

  /** The operators of the program that an operator does the work of, or part of the work. */
  public static List<String> origins(String id) {
    return Arrays.stream(id.split("\\+", -1))
        .map(part -> part.contains(".") ? part.substring(0, part.indexOf('.')) : part)
        .distinct()
        .toList();
  }
}
