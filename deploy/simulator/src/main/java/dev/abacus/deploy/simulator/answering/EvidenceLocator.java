package dev.abacus.deploy.simulator.answering;

import dev.abacus.deploy.simulator.skill.RandomEffects;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import dev.abacus.deploy.simulator.truth.TextNormalizer;
import java.util.List;

/**
 * Looks for evidence in what the prompt shows. Nothing that is not there can be seen, however able
 * the model: this is why a reduced context loses what it cuts away.
 */
final class EvidenceLocator {

  private static final double WHOLE = 0.95;
  private static final int LEAST_FRAGMENT = 40;
  private static final double LEAST_SHARE = 0.25;

  private final String section;
  private final RandomEffects luck;
  private final Place place;

  /**
   * Where a document stands among those of a prompt.
   *
   * @param number counted from 0
   * @param of how many
   */
  record Place(int number, int of) {
    static final Place ALONE = new Place(0, 1);
  }

  EvidenceLocator(String section, RandomEffects luck, Place place) {
    this.section = section;
    this.luck = luck;
    this.place = place;
  }

  /** Looks for the value of a truth, or for the n-th item if it is a list. */
  EvidenceMatch look(GroundTruth truth, int item) {
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

  /** An object is seen when all of its parts are. */
  private EvidenceMatch all(List<String> spans) {
    boolean seen = spans.stream().allMatch(section::contains);
    String first = spans.getFirst();
    return seen
        ? EvidenceMatch.at(place(section.indexOf(first), first.length()))
        : EvidenceMatch.NONE;
  }

  /**
   * What only the whole document shows can be seen in a part of it with the probability of the
   * part's size. The draw is common to all models and prompts: who sees more of the document never
   * sees less.
   */
  private EvidenceMatch whole(GroundTruth truth) {
    boolean seen =
        truth.coverage() >= WHOLE
            || luck.common("coverage", truth.document(), truth.key()).uniform() < truth.coverage();
    return seen ? EvidenceMatch.at(0) : EvidenceMatch.NONE;
  }

  private double place(int at, int length) {
    double own = Math.min(1, (at + length / 2.0) / Math.max(1, section.length()));
    return (place.number() + own) / place.of();
  }

  /** A long span whose beginning or end was cut off with a chunk is seen in part. */
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

  /** Length of the longest beginning (or end) that can be seen, 0 if shorter than {@code least}. */
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
   * What a reader can see of a piece of evidence.
   *
   * @param visible whether it can be seen at all
   * @param position where in the document section, 0..1
   * @param fragment the part that can be seen if a span was cut; empty if all of it can
   */
  record EvidenceMatch(boolean visible, double position, String fragment) {

    static final EvidenceMatch NONE = new EvidenceMatch(false, 0, "");

    static EvidenceMatch at(double position) {
      return new EvidenceMatch(true, position, "");
    }
  }
}
