package dev.abacus.deploy.simulator.answering;

import dev.abacus.deploy.simulator.skill.RandomEffects;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import dev.abacus.deploy.simulator.truth.TextNormalizer;
import java.util.List;

/**
 * Locates evidence in the document section of a prompt. No model can see text that the prompt does
 * not contain, which is why a reduced context loses what it cuts.
 */
record EvidenceLocator(String section, RandomEffects effects, BatchPosition position) {

  private static final double WHOLE = 0.95;
  private static final int LEAST_FRAGMENT = 40;
  private static final double LEAST_SHARE = 0.25;

  /**
   * The position of a document among the documents of a prompt.
   *
   * @param number counted from 0
   * @param size number of documents in the prompt
   */
  record BatchPosition(int number, int size) {
    static final BatchPosition SINGLE = new BatchPosition(0, 1);
  }

  /** Locates the evidence of a value, or of the n-th item if the value is a list. */
  EvidenceMatch locate(GroundTruth truth, int item) {
    List<String> spans = truth.spansOf(item);
    if (spans.isEmpty()) {
      return whole(truth);
    }
    if (truth.value().isArray() && truth.value().get(item).isObject()) {
      return all(spans);
    }
    for (String span : spans) {
      int at = section.indexOf(span);
      if (at >= 0) {
        return EvidenceMatch.at(place(at, span.length()));
      }
    }
    boolean extracted =
        truth.value().isArray()
            && TextNormalizer.of(truth.value().get(item)).equals(spans.getFirst());
    return extracted ? fragment(spans.getFirst()) : EvidenceMatch.NONE;
  }

  /** An object is visible if all of its parts are. */
  private EvidenceMatch all(List<String> spans) {
    boolean seen = spans.stream().allMatch(section::contains);
    String first = spans.getFirst();
    return seen
        ? EvidenceMatch.at(place(section.indexOf(first), first.length()))
        : EvidenceMatch.NONE;
  }

  /**
   * A value that only the whole document shows is visible in a part of it with a probability equal
   * to the share of that part. The draw is common to all models and prompts, so a larger part never
   * shows less.
   */
  private EvidenceMatch whole(GroundTruth truth) {
    boolean seen =
        truth.coverage() >= WHOLE
            || effects.common("coverage", truth.document(), truth.key()).uniform()
                < truth.coverage();
    return seen ? EvidenceMatch.at(0) : EvidenceMatch.NONE;
  }

  private double place(int at, int length) {
    double own = Math.min(1, (at + length / 2.0) / Math.max(1, section.length()));
    return (position.number() + own) / position.size();
  }

  /** A long span of which a chunk border cut the beginning or the end is partly visible. */
  private EvidenceMatch fragment(String span) {
    int least = Math.max(LEAST_FRAGMENT, (int) (LEAST_SHARE * span.length()));
    if (span.length() <= least) {
      return EvidenceMatch.NONE;
    }
    String head = span.substring(0, longest(span, least, true));
    String tail = span.substring(span.length() - longest(span, least, false));
    String seen = TextNormalizer.collapse(head.length() >= tail.length() ? head : tail);
    int at = seen.isEmpty() ? -1 : section.indexOf(seen);
    return at < 0 ? EvidenceMatch.NONE : new EvidenceMatch(true, place(at, seen.length()), seen);
  }

  /** Length of the longest visible beginning (or end); 0 if it is shorter than {@code least}. */
  private int longest(String span, int least, boolean head) {
    int low = least - 1;
    int high = span.length();
    while (low < high) {
      int middle = (low + high + 1) / 2;
      String part = head ? span.substring(0, middle) : span.substring(span.length() - middle);
      if (section.contains(part)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low < least ? 0 : low;
  }

  /**
   * What the prompt shows of a piece of evidence.
   *
   * @param visible whether the prompt shows any of it
   * @param position position in the document section, from 0 to 1
   * @param fragment the visible part of a cut span; empty if the whole span is visible
   */
  record EvidenceMatch(boolean visible, double position, String fragment) {

    static final EvidenceMatch NONE = new EvidenceMatch(false, 0, "");

    static EvidenceMatch at(double position) {
      return new EvidenceMatch(true, position, "");
    }
  }
}
