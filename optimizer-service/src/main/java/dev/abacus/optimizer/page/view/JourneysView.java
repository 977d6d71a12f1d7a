package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.Cluster.RecordedJourney;
import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.objective.Dimension;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The last journeys of a program.
 *
 * @param sought text that all of them contain; empty for all
 */
public record JourneysView(ProgramHead head, String sought, List<Line> lines) {

  /**
   * A journey.
   *
   * @param id of its record
   * @param outcome in words
   * @param tone class of the outcome in the style sheet
   * @param operator that dropped the document or failed
   */
  public record Line(
      String id,
      String document,
      String outcome,
      String tone,
      String operator,
      String reason,
      String cost,
      String latency,
      String epoch,
      String when) {}

  /** Computes the page. */
  public static JourneysView of(ProgramRecords records, String sought, Instant now) {
    return new JourneysView(
        ProgramHead.of(records, now),
        sought,
        records.journeys().stream()
            .filter(recorded -> contains(recorded.journey(), sought.toLowerCase(Locale.ROOT)))
            .map(recorded -> line(recorded, now))
            .toList());
  }

  /** Whether the key, the input, an answer or any other text of a journey has these characters. */
  private static boolean contains(Journey journey, String sought) {
    return sought.isEmpty() || journey.toString().toLowerCase(Locale.ROOT).contains(sought);
  }

  private static Line line(RecordedJourney recorded, Instant now) {
    Journey journey = recorded.journey();
    return new Line(
        recorded.id(),
        name(journey),
        outcome(journey.end().outcome()),
        tone(journey.end().outcome()),
        journey.end().operator(),
        journey.end().reason(),
        Figures.amount(Dimension.COST, journey.end().costUsd()),
        Figures.amount(Dimension.LATENCY, journey.end().seconds()),
        Long.toString(journey.epoch()),
        Figures.ago(journey.at(), now));
  }

  /** The key of the document, or else its source. */
  static String name(Journey journey) {
    return !journey.key().isEmpty()
        ? journey.key()
        : journey.source().isEmpty() ? "a group" : journey.source();
  }

  static String outcome(Journey.Outcome outcome) {
    return switch (outcome) {
      case KEPT -> "✓ passed";
      case DROPPED -> "○ dropped";
      case FAILED -> "✗ dead letter";
    };
  }

  static String tone(Journey.Outcome outcome) {
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
