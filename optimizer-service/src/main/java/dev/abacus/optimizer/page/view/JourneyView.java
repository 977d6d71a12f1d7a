package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.Cluster.RecordedJourney;
import dev.abacus.schemas.journey.Journey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One document on its way through a program.
 *
 * @param name key of the document
 * @param source position of the source record; empty for a group
 * @param parts one for each segment and each time that the document was processed
 */
public record JourneyView(String program, String name, String source, List<Journey> parts) {

  /**
   * Computes the page.
   *
   * @param id of a record
   * @return null if the journey is not kept any more
   */
  public static @Nullable JourneyView of(ProgramRecords records, String id) {
    RecordedJourney chosen =
        records.journeys().stream()
            .filter(recorded -> recorded.id().equals(id))
            .findFirst()
            .orElse(null);
    if (chosen == null) {
      return null;
    }
    return new JourneyView(
        records.program().name(),
        JourneysView.name(chosen.journey()),
        chosen.journey().source(),
        JourneysView.ofDocument(records, chosen));
  }
}
