package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.Cluster.RecordedJourney;
import dev.abacus.schemas.journey.Journey;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Selects and names the journeys of a program, the latest first. */
public final class Journeys {

  private Journeys() {}

  /** The journeys that contain a text, in lower or upper case; all for an empty one. */
  public static List<RecordedJourney> containing(ProgramRecords records, String sought) {
    return records.journeys().stream()
        .filter(recorded -> contains(recorded.journey(), sought.toLowerCase(Locale.ROOT)))
        .toList();
  }

  /** The journey of a record; null if it is not kept any more. */
  public static @Nullable Journey recorded(ProgramRecords records, String id) {
    return records.journeys().stream()
        .filter(recorded -> recorded.id().equals(id))
        .map(RecordedJourney::journey)
        .findFirst()
        .orElse(null);
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
  public static List<Journey> ofDocument(ProgramRecords records, Journey chosen) {
    String source = chosen.source();
    return source.isEmpty()
        ? List.of(chosen)
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
