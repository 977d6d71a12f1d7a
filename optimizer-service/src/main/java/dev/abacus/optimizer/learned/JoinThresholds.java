package dev.abacus.optimizer.learned;

import dev.abacus.optimizer.learned.PrecisionThreshold.Scored;
import dev.abacus.schemas.observation.Evidence.Pair;
import java.util.ArrayList;
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
 * #TARGET} of the pairs above {@code high} are matches (precision), each with 95 % confidence, and
 * at least {@value #SEEN} of the pairs seen. The weights of pairs count, so that both hold for the
 * whole reference. All pairs are used, so the thresholds do not depend on the batches in which
 * pairs arrived; the reference implementation learns from each batch alone and loses recall.
 *
 * <p>{@code low} is an order statistic of the matches, whose rank depends on their number alone (a
 * distribution-free tolerance bound). For {@code high}, the pairs of three examples in ten choose
 * the candidates, and the other pairs test them ({@link PrecisionThreshold}).
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

  /** Tolerance: the similarity of a pair may differ this much between batches of an embedder. */
  private static final double ROUNDING = 1e-6;

  /** The share of the examples that choose the candidates, in tenths. */
  private static final int CHOOSING = 3;

  /**
   * The pairs of one example.
   *
   * @param id decides whether the pairs choose or test, so that the division does not change with
   *     further examples
   */
  public record Example(String id, List<Pair> pairs) {

    private boolean chooses() {
      return Math.floorMod(LabelledVector.mixed(id), 10) < CHOOSING;
    }
  }

  /** A pair with known similarity and result. */
  private record Known(double similarity, boolean match, double weight, boolean chooses) {

    Scored scored() {
      return new Scored(similarity, match, weight);
    }
  }

  /**
   * Learns the thresholds.
   *
   * @param examples in any order; pairs without a finite similarity or a result are ignored
   */
  public static JoinThresholds of(Collection<Example> examples) {
    List<Known> known = new ArrayList<>();
    for (Example example : examples) {
      for (Pair pair : example.pairs()) {
        Double similarity = pair.similarity();
        Boolean match = pair.match();
        if (similarity != null && Double.isFinite(similarity) && match != null) {
          known.add(new Known(similarity, match, pair.weight(), example.chooses()));
        }
      }
    }
    Double low = low(known);
    Double high = high(known);
    // If matches are well separated the thresholds cross; pairs between are then accepted.
    return new JoinThresholds(
        low != null && high != null ? Double.valueOf(Math.min(low, high)) : low, high);
  }

  private static @Nullable Double low(List<Known> pairs) {
    List<Known> matches =
        pairs.stream()
            .filter(Known::match)
            .sorted(Comparator.comparingDouble(Known::similarity))
            .toList();
    if (matches.stream().mapToDouble(Known::weight).distinct().count() > 1) {
      return weightedLow(matches);
    }
    Double low = null;
    for (int lost = 0; lost < matches.size(); lost++) {
      int kept = matches.size() - lost;
      if (kept < SEEN * matches.size() || !BinomialBound.reaches(kept, matches.size(), TARGET)) {
        break;
      }
      low = matches.get(lost).similarity() - ROUNDING;
    }
    return low;
  }

  /**
   * With different weights, no rank is exact: the matches that choose are the candidates, from the
   * least similar one upwards, and the others test them in this order.
   */
  private static @Nullable Double weightedLow(List<Known> matches) {
    double all = matches.stream().mapToDouble(Known::weight).sum();
    double lost = 0;
    Double low = null;
    for (Known match : matches) {
      if (match.chooses()) {
        double candidate = match.similarity() - ROUNDING;
        List<Scored> recalled =
            matches.stream()
                .filter(pair -> !pair.chooses())
                .map(pair ->
                    new Scored(pair.similarity(), pair.similarity() >= candidate, pair.weight()))
                .toList();
        if (lost > (1 - SEEN) * all || !PrecisionThreshold.reaches(recalled, TARGET)) {
          break;
        }
        low = candidate;
      }
      lost += match.weight();
    }
    return low;
  }

  private static @Nullable Double high(List<Known> pairs) {
    List<Double> shown =
        PrecisionThreshold.passed(
            pairs.stream().filter(Known::chooses).map(Known::scored).toList(),
            pairs.stream().filter(pair -> !pair.chooses()).map(Known::scored).toList(),
            TARGET,
            0);
    for (double candidate : shown.reversed()) {
      double matches = 0;
      double all = 0;
      for (Known pair : pairs) {
        if (pair.similarity() >= candidate) {
          matches += pair.match() ? pair.weight() : 0;
          all += pair.weight();
        }
      }
      if (matches >= SEEN * all) {
        return candidate - ROUNDING;
      }
    }
    return null;
  }

  /** Whether a pair with this similarity is decided without a model. */
  public boolean decides(double similarity) {
    return (low != null && similarity < low) || accepts(similarity);
  }

  /** Whether a pair with this similarity is accepted without a model. */
  public boolean accepts(double similarity) {
    return high != null && similarity > high;
  }
}
