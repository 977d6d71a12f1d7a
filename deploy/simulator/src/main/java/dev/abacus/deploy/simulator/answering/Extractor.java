package dev.abacus.deploy.simulator.answering;

import dev.abacus.deploy.simulator.skill.Skill.TaskKind;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Copies the passages that answer the questions: the evidence that the model finds, each with the
 * sentences around it. No passage shows what only the whole document shows. Of an unknown document
 * it copies the beginning.
 */
record Extractor(ModelCall call, String section) {

  private static final int BEGINNING = 600;
  private static final String STOPS = ".!?;:";

  private record Passage(int from, int to) {}

  Extractor(ModelCall call) {
    this(call, call.section());
  }

  /** The passages in document order. */
  List<String> passages(List<Question> questions) {
    List<Passage> found = new ArrayList<>();
    boolean known = false;
    for (Question question : questions) {
      GroundTruth truth = question.truth();
      known |= truth != null;
      if (truth != null && !truth.absent()) {
        int items = truth.value().isArray() ? truth.value().size() : 1;
        for (int item = 0; item < items; item++) {
          find(truth, item, found);
        }
      }
    }
    if (!known) {
      return List.of(section.substring(0, Math.min(BEGINNING, section.length())));
    }
    return merged(found).stream()
        .map(passage -> section.substring(passage.from(), passage.to()).strip())
        .toList();
  }

  private void find(GroundTruth truth, int item, List<Passage> found) {
    for (String span : truth.spansOf(item)) {
      int at = section.indexOf(span);
      if (at >= 0) {
        double position = call.locator().locate(truth, item).position();
        double latent = call.latent(TaskKind.EXTRACT, truth, position, "extract", span);
        if (latent > 0) {
          found.add(new Passage(secondEnd(at, -1), secondEnd(at + span.length(), 1)));
        }
      }
    }
  }

  private static List<Passage> merged(List<Passage> passages) {
    List<Passage> merged = new ArrayList<>();
    for (Passage next : passages.stream().sorted(Comparator.comparingInt(Passage::from)).toList()) {
      Passage last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && next.from() <= last.to()) {
        merged.set(merged.size() - 1, new Passage(last.from(), Math.max(last.to(), next.to())));
      } else {
        merged.add(next);
      }
    }
    return merged;
  }

  /** The second end of a sentence in a direction: 1 for after, -1 for before this index. */
  private int secondEnd(int at, int direction) {
    int place = at;
    int ends = 0;
    while (place > 0 && place < section.length() && !(isEnd(place) && ends++ == 1)) {
      place += direction;
    }
    return place;
  }

  private boolean isEnd(int at) {
    return section.charAt(at) == ' ' && STOPS.indexOf(section.charAt(at - 1)) >= 0;
  }
}
