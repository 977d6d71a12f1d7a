package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster.DeadLetter;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.replay.DeadLetterReplay.Replayed;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One dead letter.
 *
 * @param place among those that are kept, the latest first
 * @param newer id of the next letter; empty for the latest
 * @param older id of the letter before; empty for the oldest
 * @param journey id of the journey of the document; empty if there is none
 * @param replayed whether it was sent again; null if unknown
 */
public record LetterView(
    String program,
    DeadLetter letter,
    String place,
    String newer,
    String older,
    String journey,
    @Nullable Boolean replayed) {

  /**
   * Computes the page.
   *
   * @param replayed by partition; empty if unknown
   * @return null if the letter is not kept any more
   */
  public static @Nullable LetterView of(
      ProgramRecords records, String id, Map<Integer, Replayed> replayed) {
    List<DeadLetter> letters = records.letters();
    List<String> ids = letters.stream().map(DeadLetter::id).toList();
    int at = ids.indexOf(id);
    if (at < 0) {
      return null;
    }
    DeadLetter letter = letters.get(at);
    String[] position = id.split("-", -1);
    Replayed done = replayed.get(Integer.valueOf(position[0]));
    return new LetterView(
        records.program().name(),
        letter,
        "%d of the last %d".formatted(at + 1, ids.size()),
        at == 0 ? "" : ids.get(at - 1),
        at + 1 == ids.size() ? "" : ids.get(at + 1),
        Journeys.find(records, letter.source()),
        done == null ? null : (Boolean) done.has(Long.parseLong(position[1])));
  }
}
