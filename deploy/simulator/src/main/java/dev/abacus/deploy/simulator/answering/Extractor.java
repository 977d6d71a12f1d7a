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
final class Extractor {

  private static final int BEGINNING = 600;
  private static final String STOPS = ".!?;:";

  private record Passage(int from, int to) {}

  private final ModelCall call;
  private final String section;

  Extractor(ModelCall call) {
    this.call = call;
    this.section = call.section();
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
        double latent =
            call.skill()
                    .margin(TaskKind.EXTRACT, truth.difficulty(), call.conditions().at(position))
                + call.effects().of("extract", truth.document(), truth.key(), span);
        if (latent > 0) {
          found.add(new Passage(sentencesBefore(at), sentencesAfter(at + span.length())));
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

  /** Start of the sentence before the one at this index. */
  private int sentencesBefore(int at) {
    int from = at;
    for (int sentences = 0; from > 0; from--) {
      if (section.charAt(from) == ' ' && STOPS.indexOf(section.charAt(from - 1)) >= 0) {
        if (sentences++ == 1) {
          break;
        }
      }
    }
    return from;
  }

  /** End of the sentence after the one at this index. */
  private int sentencesAfter(int at) {
    int to = at;
    for (int sentences = 0; to < section.length(); to++) {
      if (section.charAt(to) == ' ' && STOPS.indexOf(section.charAt(to - 1)) >= 0) {
        if (sentences++ == 1) {
          break;
        }
      }
    }
    return to;
  }
}
