package dev.abacus.schemas.program;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * For which documents to come a plan is searched: what a better plan saves on them has to pay for
 * the samples that find it. It is the patient horizon of sequential trials (Anscombe 1963,
 * "Sequential Medical Trials"; Chick, Forster and Pertile 2017).
 *
 * @param time the documents that arrive in this time; null if their number is stated
 * @param documents their number; null if a time is stated
 */
public record Horizon(@Nullable Duration time, @Nullable Long documents) {

  public Horizon {
    if ((time == null) == (documents == null)) {
      throw new IllegalArgumentException("a horizon is a time or a number of documents");
    }
    if (time != null && !time.isPositive()) {
      throw new IllegalArgumentException("a horizon of " + time + "; it must be above 0");
    }
    if (documents != null && documents < 1) {
      throw new IllegalArgumentException(
          "a horizon of %d documents; it must be at least 1".formatted(documents));
    }
  }

  /** The documents that arrive in a time. */
  public Horizon(Duration time) {
    this(time, null);
  }

  /** A number of documents. */
  public Horizon(long documents) {
    this(null, documents);
  }
}
