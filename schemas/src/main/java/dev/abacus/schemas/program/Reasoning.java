package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.abacus.schemas.input.Keyword;
import org.jspecify.annotations.Nullable;

/** How a model reasons before it answers. */
public enum Reasoning implements Keyword {
  /** Hidden reasoning with {@code reasoning_effort: low}. */
  LOW,
  /** Hidden reasoning with {@code reasoning_effort: medium}. */
  MEDIUM,
  /** Hidden reasoning with {@code reasoning_effort: high}. */
  HIGH,
  /** The answer begins with a text in which the model reasons step by step. */
  STEPS;

  /**
   * Reads the JSON form.
   *
   * @throws IllegalArgumentException if it is not a constant in lower case
   */
  @JsonCreator
  public static Reasoning read(String text) {
    Reasoning reasoning = Keyword.find(Reasoning.class, text);
    if (reasoning == null) {
      throw new IllegalArgumentException("'" + text + "' is not low, medium, high or steps");
    }
    return reasoning;
  }

  /** The parameter in the id of an implementation; empty for null. */
  public static String suffix(@Nullable Reasoning reasoning) {
    return reasoning == null ? "" : ",reasoning=" + reasoning.label();
  }
}
