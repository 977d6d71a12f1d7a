package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Keeps the last journeys of each program. */
final class JourneyFold {

  /** Journeys of a program that are kept. */
  static final int MOST = 200;

  /** Bytes of the records of a program that are kept. */
  private static final long MOST_BYTES = 16L << 20;

  private final Map<String, Recent> programs = new HashMap<>();

  /** The journeys of a program, the latest first. */
  private static final class Recent {
    private final Deque<Kept> journeys = new ArrayDeque<>();
    private long bytes;
  }

  private record Kept(Cluster.RecordedJourney journey, int bytes) {}

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
    Recent recent = programs.computeIfAbsent(program, _ -> new Recent());
    recent.journeys.addFirst(
        new Kept(
            new Cluster.RecordedJourney(record.partition() + "-" + record.offset(), journey),
            record.value().length));
    recent.bytes += record.value().length;
    while (recent.journeys.size() > MOST
        || (recent.bytes > MOST_BYTES && recent.journeys.size() > 1)) {
      recent.bytes -= recent.journeys.removeLast().bytes();
    }
  }

  /** The journeys of a program, the latest first. */
  List<Cluster.RecordedJourney> journeys(String program) {
    Recent recent = programs.get(program);
    return recent == null ? List.of() : recent.journeys.stream().map(Kept::journey).toList();
  }
}
