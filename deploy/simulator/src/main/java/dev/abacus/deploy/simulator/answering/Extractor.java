package dev.abacus.deploy.simulator.answering;

import dev.abacus.deploy.simulator.skill.Skill.TaskKind;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Copies out what bears on the questions: the evidence that it sees and does not overlook, each
 * with the sentences around it. What only a document as a whole shows, no passage shows; and of an
 * unknown document it copies the beginning.
 */
final class Extractor {

  private static final int BEGINNING = 600;
  private static final String STOPS = ".!?;:";

  private record Passage(int from, int to) {}

  private final ModelCall scene;
  private final String section;

  Extractor(ModelCall scene) {
    this.scene = scene;
    this.section = scene.section();
  }

  /** The passages, in the order of the document. */
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
        double position = scene.eyes().look(truth, item).position();
        double latent =
            scene.skill().margin(TaskKind.EXTRACT, truth.difficulty(), scene.where().at(position))
                + scene.luck().of("extract", truth.document(), truth.key(), span);
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

  /** Where the sentence before the one at hand begins. */
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

  /** Where the sentence after the one at hand ends. */
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
