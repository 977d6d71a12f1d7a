package dev.abacus.optimizer.page.records;

import dev.abacus.optimizer.page.records.Cluster.ArmSamples;
import dev.abacus.optimizer.page.records.Cluster.Change;
import dev.abacus.optimizer.page.records.Cluster.RecordedJourney;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.RoundReason;
import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ReviewRequest;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Folds the records of one program: changes of the control topic, samples, journeys, dead letters
 * and requests for labels. A record that cannot be read, probably of a newer version, is ignored.
 */
final class ProgramFold {

  private final Recent<Change> changes = new Recent<>();
  private final Recent<RecordedJourney> journeys = new Recent<>();
  private final DeadLetterFold deadLetters = new DeadLetterFold();

  /** By operator and implementation. */
  private final Map<String, SortedMap<String, ArmSamples>> samples = new LinkedHashMap<>();

  /** Requests that wait for an answer, by position of the document. */
  private final Map<String, ReviewRequest> reviews = new LinkedHashMap<>();

  /** Takes in a value of the control topic that is now in force. */
  void change(ConsumerRecord<byte[], byte[]> record, ControlRecord taken) {
    // Plans are large, and their activation says the same.
    if (!(taken instanceof ControlRecord.PlanPublished)) {
      String by = RecordText.header(record, Headers.BY);
      changes.add(
          new Change(
              Instant.ofEpochMilli(record.timestamp()), taken, by.isEmpty() ? author(taken) : by),
          record.value());
    }
  }

  /** Who made a change, as far as it follows from its record. */
  private static String author(ControlRecord taken) {
    return switch (taken) {
      case ControlRecord.Activated activated -> activated.by();
      case ControlRecord.Paused paused -> paused.by();
      case ControlRecord.PlanPublished _ -> ControlRecord.OPTIMIZER;
      case ControlRecord.ProgramSet _,
          ControlRecord.ObjectiveSet _,
          ControlRecord.BudgetSet _,
          ControlRecord.Pinned _ ->
          ControlRecord.USER;
      case ControlRecord.Reoptimize round ->
          RoundReason.of(round.token()).isEmpty() ? ControlRecord.USER : ControlRecord.GOVERNOR;
    };
  }

  /** Takes in an observation of a sample. */
  void sample(ConsumerRecord<byte[], byte[]> record) {
    Observation observation = Json.find(record.value(), Observation.class);
    if (observation != null) {
      switch (observation.outcome()) {
        case KEPT, DROPPED, FAILED -> add(observation);
        case EMBEDDED, UNAVAILABLE -> {
          // Says nothing about an implementation.
        }
      }
    }
  }

  private void add(Observation observation) {
    SortedMap<String, ArmSamples> arms =
        samples.computeIfAbsent(observation.operator(), _ -> new TreeMap<>());
    int number = arms.values().stream().mapToInt(ArmSamples::count).sum() + 1;
    arms.compute(
        observation.physical(),
        (physical, known) ->
            (known == null ? ArmSamples.none(physical) : known).with(observation, number));
  }

  /** Takes in a dead letter. */
  void deadLetter(ConsumerRecord<byte[], byte[]> record) {
    deadLetters.accept(record);
  }

  /** Takes in a journey. */
  void journey(ConsumerRecord<byte[], byte[]> record) {
    Journey journey = Json.find(record.value(), Journey.class);
    if (journey != null) {
      journeys.add(
          new RecordedJourney(record.partition() + "-" + record.offset(), journey), record.value());
    }
  }

  /** Takes in a request for a label, or its end. */
  void review(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() != null) {
      ReviewRequest request = Json.find(record.value(), ReviewRequest.class);
      reviews.compute(
          RecordText.key(record), (_, _) -> request != null && request.isOpen() ? request : null);
    }
  }

  /** Records of the control topic but for plans, the latest first. */
  List<Change> changes() {
    return changes.items();
  }

  /** By operator, the implementations in order of their names. */
  Map<String, List<ArmSamples>> samples() {
    Map<String, List<ArmSamples>> copy = new LinkedHashMap<>();
    samples.forEach((operator, arms) -> copy.put(operator, List.copyOf(arms.values())));
    return copy;
  }

  /** The dead letters. */
  DeadLetterFold deadLetters() {
    return deadLetters;
  }

  /** The last journeys, the latest first. */
  List<RecordedJourney> journeys() {
    return journeys.items();
  }

  /** The open requests for labels by position of the document, in order of asking. */
  Map<String, ReviewRequest> reviews() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(reviews));
  }
}
