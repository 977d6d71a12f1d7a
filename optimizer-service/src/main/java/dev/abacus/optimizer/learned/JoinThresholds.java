package dev.abacus.optimizer.learned;

import dev.abacus.schemas.observation.Evidence.Pair;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The thresholds of an embedding join (paper, section 4.1), learned from all pairs so far.
 *
 * <pre>
 *   −1 ────────────── low ────────────── high ────────────── 1    cosine similarity
 *        rejected            model              accepted
 * </pre>
 *
 * <p>At least {@value #TARGET} of all matches are above {@code low} (recall), and at least {@value
 * #TARGET} of the pairs above {@code high} are matches (precision), both with 95 % confidence, and
 * at least {@value #SEEN} of the pairs seen. All pairs are used, so the thresholds do not depend on
 * the batches in which pairs arrived; the reference implementation learns from each batch alone and
 * loses recall.
 *
 * @param low null while there are too few matches to reject pairs without a model
 * @param high null while there are too few similar pairs, or too few matches among them, to accept
 *     pairs without a model
 */
public record JoinThresholds(@Nullable Double low, @Nullable Double high) {

  /** Target for the lower confidence bounds of recall and precision. */
  public static final double TARGET = 0.9;

  /** Target for recall and precision in the pairs seen. */
  public static final double SEEN = 0.97;

  /** No thresholds: the model is asked about every pair. */
  public static final JoinThresholds NOTHING = new JoinThresholds(null, null);

  /** Tolerance: the similarity of a pair may differ this much between batches of an embedder. */
  private static final double ROUNDING = 1e-6;

  /**
   * Learns the thresholds.
   *
   * @param pairs in any order; pairs without a finite similarity are ignored
   */
  public static JoinThresholds of(Collection<Pair> pairs) {
    List<Pair> usable = pairs.stream().filter(pair -> Double.isFinite(pair.similarity())).toList();
    Double low = low(usable);
    Double high = high(usable);
    // If matches are well separated the thresholds cross; pairs between are then accepted.
    return new JoinThresholds(
        low != null && high != null ? Double.valueOf(Math.min(low, high)) : low, high);
  }

  private static @Nullable Double low(List<Pair> pairs) {
    double[] matches =
        pairs.stream().filter(Pair::match).mapToDouble(Pair::similarity).sorted().toArray();
    Double low = null;
    for (int lost = 0; lost < matches.length; lost++) {
      int kept = matches.length - lost;
      if (kept < SEEN * matches.length || !BinomialBound.reaches(kept, matches.length, TARGET)) {
        break;
      }
      low = matches[lost] - ROUNDING;
    }
    return low;
  }

  private static @Nullable Double high(List<Pair> pairs) {
    double shown =
        PrecisionThreshold.find(
            pairs.stream()
                .map(pair -> new PrecisionThreshold.Scored(pair.similarity(), pair.match()))
                .toList(),
            TARGET);
    List<Pair> accepted =
        pairs.stream()
            .filter(pair -> pair.similarity() >= shown)
            .sorted(Comparator.comparingDouble(Pair::similarity).reversed())
            .toList();
    Double high = null;
    int matches = 0;
    for (int i = 0; i < accepted.size(); i++) {
      matches += accepted.get(i).match() ? 1 : 0;
      double similarity = accepted.get(i).similarity();
      boolean tied = i + 1 < accepted.size() && accepted.get(i + 1).similarity() == similarity;
      if (!tied && matches >= SEEN * (i + 1) && BinomialBound.reaches(matches, i + 1, TARGET)) {
        high = similarity - ROUNDING;
      }
    }
    return high;
  }

  /** Whether a pair with this similarity is decided without a model. */
  public boolean decides(double similarity) {
    return (low != null && similarity < low) || accepts(similarity);
  }

  /** Whether a pair with this similarity is accepted without a model. */
  public boolean accepts(double similarity) {
    return high != null && similarity > high;
  }

  /** Whether there is no threshold. */
  public boolean isEmpty() {
    return low == null && high == null;
  }
}
