package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.abacus.schemas.input.Keyword;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A relational aggregate function over the documents of a group.
 *
 * @param field the aggregated field; null for a count of documents
 */
public record Computation(Function function, @Nullable String field) {

  /** The function; documents without the field are ignored. */
  public enum Function implements Keyword {
    COUNT,
    SUM,
    AVG,
    MIN,
    MAX,
    LIST,
    /** The number of different values. */
    DISTINCT;

    /** Whether it needs all values at once, so that members are kept until the window closes. */
    public boolean needsMembers() {
      return this == LIST || this == DISTINCT;
    }
  }

  private static final Pattern FORM = Pattern.compile("([a-z]+)(?:\\(\\s*([^()\\s]+)\\s*\\))?");

  public Computation {
    if (field == null && function != Function.COUNT) {
      throw new IllegalArgumentException(
          "%s needs a field: %s(field)".formatted(function.label(), function.label()));
    }
  }

  /**
   * Reads {@code count}, {@code count(f)}, {@code sum(f)}, {@code avg(f)}, {@code min(f)}, {@code
   * max(f)}, {@code list(f)} or {@code distinct(f)}.
   *
   * @throws IllegalArgumentException if the text has none of these forms
   */
  public static Computation parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    Function function = matcher.matches() ? Keyword.find(Function.class, matcher.group(1)) : null;
    if (function == null) {
      throw new IllegalArgumentException(
          "'%s' is not a computation; there are count, sum(f), avg(f), min(f), max(f), list(f) and distinct(f)"
              .formatted(text));
    }
    return new Computation(function, matcher.group(2));
  }

  /** The form that {@link #parse} reads. */
  @JsonValue
  public String label() {
    return field == null ? function.label() : function.label() + "(" + field + ")";
  }
}
