package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Keeps the last journeys of each program. */
final class JourneyFold {

  private final Map<String, Recent<Cluster.RecordedJourney>> programs = new HashMap<>();

  /** Applies a record; an unreadable one, probably of a newer version, is ignored. */
  void accept(String program, ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      return;
    }
    Journey journey;
    try {
      journey = Json.read(record.value(), Journey.class);
    } catch (MalformedRecordException e) {
      return;
    }
    programs
        .computeIfAbsent(program, _ -> new Recent<>())
        .add(
            new Cluster.RecordedJourney(record.partition() + "-" + record.offset(), journey),
            record.value());
  }

  /** The journeys of a program, the latest first. */
  List<Cluster.RecordedJourney> journeys(String program) {
    Recent<Cluster.RecordedJourney> recent = programs.get(program);
    return recent == null ? List.of() : recent.items();
  }
}
