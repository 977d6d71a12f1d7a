package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.Cluster.RecordedJourney;
import dev.abacus.schemas.journey.Journey;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The last journeys of a program.
 *
 * @param sought text that all of them contain; empty for all
 */
public record JourneysView(
    ProgramHead head, String sought, List<RecordedJourney> journeys, Instant now) {

  /** Computes the page. */
  public static JourneysView of(ProgramRecords records, String sought, Instant now) {
    return new JourneysView(
        ProgramHead.of(records, now),
        sought,
        records.journeys().stream()
            .filter(recorded -> contains(recorded.journey(), sought.toLowerCase(Locale.ROOT)))
            .toList(),
        now);
  }

  /** Whether the key, the input, an answer or any other text of a journey has these characters. */
  private static boolean contains(Journey journey, String sought) {
    return sought.isEmpty() || journey.toString().toLowerCase(Locale.ROOT).contains(sought);
  }

  /** The key of the document, or else its source. */
  public static String name(Journey journey) {
    return !journey.key().isEmpty()
        ? journey.key()
        : journey.source().isEmpty() ? "a group" : journey.source();
  }

  /** An outcome in words. */
  public static String outcome(Journey.Outcome outcome) {
    return switch (outcome) {
      case KEPT -> "✓ passed";
      case DROPPED -> "○ dropped";
      case FAILED -> "✗ dead letter";
    };
  }

  /** The class of an outcome in the style sheet. */
  public static String tone(Journey.Outcome outcome) {
    return switch (outcome) {
      case KEPT -> "good";
      case DROPPED -> "warn";
      case FAILED -> "bad";
    };
  }

  /** The journeys of one document through all segments, the first segment first. */
  static List<Journey> ofDocument(ProgramRecords records, RecordedJourney chosen) {
    String source = chosen.journey().source();
    return source.isEmpty()
        ? List.of(chosen.journey())
        : records.journeys().stream()
            .map(RecordedJourney::journey)
            .filter(journey -> journey.source().equals(source))
            .sorted(Comparator.comparing(Journey::at))
            .toList();
  }

  /** The id of the last journey of a source record; empty if there is none. */
  static String find(ProgramRecords records, String source) {
    return source.isEmpty()
        ? ""
        : records.journeys().stream()
            .filter(recorded -> recorded.journey().source().equals(source))
            .map(RecordedJourney::id)
            .findFirst()
            .orElse("");
  }
}
