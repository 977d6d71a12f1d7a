package dev.abacus.topology.operator;

import dev.abacus.schemas.observation.Evidence;
import org.jspecify.annotations.Nullable;

/**
 * What came of embedding an input for the sake of what it teaches.
 *
 * @param expense of embedding
 * @param evidence without the right answer where only a label can tell it; null if there is none
 * @param failure why there is none; null if there is
 */
public record Taught(Expense expense, @Nullable Evidence evidence, @Nullable String failure) {

  static Taught by(Evidence evidence, Expense expense) {
    return new Taught(expense, evidence, null);
  }

  static Taught nothing(String reason, Expense expense) {
    return new Taught(expense, null, reason);
  }
}
