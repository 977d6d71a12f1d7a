package dev.abacus.topology.operator.join;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * An item that a join compares with a document.
 *
 * @param similarity the cosine to the document, in [-1, 1]; NaN if not computed
 * @param weight the number of items of the reference that it represents: 1, or another positive
 *     number in a sample
 * @param label whether it matches; null if unknown
 */
@RecordBuilder
public record Candidate(
    ReferenceItem item, double similarity, double weight, @Nullable Boolean label)
    implements CandidateBuilder.With {

  /** By the keys of the items. */
  static final Comparator<Candidate> BY_ID =
      Comparator.comparing(candidate -> candidate.item().id());

  public Candidate {
    if (!(weight > 0)) {
      throw new IllegalArgumentException("weight " + weight);
    }
  }

  /** An item that represents itself. */
  public static Candidate of(ReferenceItem item) {
    return new Candidate(item, Double.NaN, 1, null);
  }

  /** An item that represents itself, with its similarity. */
  public static Candidate of(ReferenceItem item, double similarity) {
    return new Candidate(item, similarity, 1, null);
  }
}
