package dev.abacus.optimizer.learned;

import dev.abacus.schemas.observation.Evidence.Pair;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The thresholds of an embedding join (paper, section 4.1), from all pairs known so far.
 *
 * <pre>
 *   −1 ────────────── low ────────────── high ────────────── 1    cosine
 *        rejected            model              accepted
 * </pre>
 *
 * <p>{@code low} leaves at least {@value #TARGET} of the matches above it, and {@code high} has at
 * least {@value #TARGET} matches among the pairs above it, both with 95 % confidence; and in what
 * was seen at least {@value #SEEN}, so that more pairs are not used up to come closer to the bare
 * target. More pairs only make the statement surer: thresholds from all pairs do not depend on the
 * batches in which they came, which is where the reference implementation loses recall.
 *
 * @param low null while matches are too few to reject anything unasked
 * @param high null while similar pairs are too few, or match too seldom, to accept any unasked
 */
public record JoinTraining(@Nullable Double low, @Nullable Double high) {

  /** Recall that rejecting must leave, and precision that accepting must have, by their bounds. */
  public static final double TARGET = 0.9;

  /** The same in the pairs seen. */
  public static final double SEEN = 0.97;

  /** Nothing learnt: the model is asked about every pair. */
  public static final JoinTraining NOTHING = new JoinTraining(null, null);

  /** Cosines of one pair may differ by this much between batches of an embedder. */
  private static final double ROUNDING = 1e-6;

  /**
   * Learns.
   *
   * @param pairs in any order
   */
  public static JoinTraining of(Collection<Pair> pairs) {
    List<Pair> usable = pairs.stream().filter(pair -> Double.isFinite(pair.similarity())).toList();
    Double low = low(usable);
    Double high = high(usable);
    // Matches may stand so well apart that the two cross; what both would decide is then accepted.
    return new JoinTraining(
        low != null && high != null ? Double.valueOf(Math.min(low, high)) : low, high);
  }

  private static @Nullable Double low(List<Pair> pairs) {
    double[] matches =
        pairs.stream().filter(Pair::match).mapToDouble(Pair::similarity).sorted().toArray();
    Double low = null;
    for (int lost = 0; lost < matches.length; lost++) {
      int kept = matches.length - lost;
      if (kept < SEEN * matches.length || !Proportions.shown(kept, matches.length, TARGET)) {
        break;
      }
      low = matches[lost] - ROUNDING;
    }
    return low;
  }

  private static @Nullable Double high(List<Pair> pairs) {
    double shown =
        SureThreshold.find(
            pairs.stream()
                .map(pair -> new SureThreshold.Checked(pair.similarity(), pair.match()))
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
      if (!tied && matches >= SEEN * (i + 1) && Proportions.shown(matches, i + 1, TARGET)) {
        high = similarity - ROUNDING;
      }
    }
    return high;
  }

  /** Whether a pair of that similarity is decided without a model. */
  public boolean decides(double similarity) {
    return (low != null && similarity < low) || accepts(similarity);
  }

  /** Whether a pair of that similarity is taken for a match without a model. */
  public boolean accepts(double similarity) {
    return high != null && similarity > high;
  }

  /** Whether anything was learnt. */
  public boolean isEmpty() {
    return low == null && high == null;
  }
}
