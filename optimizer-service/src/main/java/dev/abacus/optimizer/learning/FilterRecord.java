package dev.abacus.optimizer.learning;

import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.Range;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How well the answers of a filter were foreseen. Each answer is scored by the latest fit before
 * the next one learns from it.
 */
final class FilterRecord {

  /** The latest documents that count whose filters were all asked. */
  private static final int MOST_EXPLORED = 1000;

  /** The latest answers that show whether answers follow from the text. */
  private static final int MOST_RECENT = 200;

  private static final int LEAST_RECENT = 10;

  /** Half the width of an interval of a mean in standard errors. */
  private static final double SHOWN = 2.576;

  private final Map<String, Explored> explored = new LinkedHashMap<>();
  private final Deque<Foreseen> recent = new ArrayDeque<>();

  /** An answer with the probability of passing that it was foreseen with. */
  private record Foreseen(double chance, boolean passed) {}

  /**
   * The answer to a document whose filters were all asked.
   *
   * @param chance the probability of passing by the latest fit; NaN before the first
   * @param cost of the call in USD
   * @param free whether a classifier would have answered
   * @param answers number of answers before it
   */
  record Explored(boolean passed, double chance, double cost, boolean free, long answers) {}

  /**
   * Adds an answer.
   *
   * @param chance the probability of passing by the latest fit; NaN before the first
   * @param answers number of answers before it
   */
  void add(LiveAnswer answer, double chance, long answers) {
    if (answer.reached() != null) {
      Explored one =
          new Explored(
              answer.passes(),
              chance,
              answer.cost() == null ? 0 : answer.cost(),
              answer.isAudit(),
              answers);
      explored.put(answer.source(), one);
      if (explored.size() > MOST_EXPLORED) {
        explored.remove(explored.keySet().iterator().next());
      }
    }
    if (!Double.isNaN(chance)) {
      recent.add(new Foreseen(chance, answer.passes()));
      if (recent.size() > MOST_RECENT) {
        recent.remove();
      }
    }
  }

  /** By source of the document, the oldest first. */
  Map<String, Explored> explored() {
    return explored;
  }

  /** Whether passed documents were foreseen to pass more than dropped ones. */
  boolean followsFromText() {
    Range passed = foreseen(true);
    Range dropped = foreseen(false);
    return passed.low() != null && dropped.high() != null && passed.low() > dropped.high();
  }

  private Range foreseen(boolean passed) {
    double[] chances =
        recent.stream()
            .filter(one -> one.passed() == passed)
            .mapToDouble(Foreseen::chance)
            .toArray();
    return chances.length < LEAST_RECENT ? Range.of(0) : OrderEvidence.mean(chances, SHOWN);
  }
}
