package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Elapsed;
import dev.abacus.optimizer.loop.event.ExampleIds;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Draws the live documents that the search of one program also runs beside the plan ({@link
 * Program#shadow}), and makes examples without labels of them.
 *
 * <p>A hash of program and position in the source draws, so neither load nor content chooses, and a
 * restart draws the same documents. The newest {@value #MOST} are kept, older ones removed, all if
 * the program draws none any more. They come when there are a quarter more, at least {@value
 * #FEWEST}: no search for each document.
 */
final class LiveDocuments {

  static final int MOST = 200;
  private static final int FEWEST = 8;

  /** Documents per turn, so that reading them does not delay a turn for long. */
  private static final int MOST_PER_TURN = 50;

  /** Positions of a partition among which documents are drawn: the latest ones. */
  private static final long LATEST = 100_000;

  /** A look opens a consumer. */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

  private Instant lookedAt = Instant.EPOCH;
  private double share;

  /** What is known of each partition of a source. */
  private final Map<TopicPartition, Looked> partitions = new HashMap<>();

  /** Ids of drawn positions without a readable document. */
  private final Set<String> unreadable = new HashSet<>();

  /**
   * A partition as far as it was looked at.
   *
   * @param drawn offsets, the newest first
   */
  private record Looked(long end, Deque<Long> drawn) {}

  /** The position of a drawn document; {@code rank} later ones of its partition are drawn. */
  record Drawn(Source source, RecordPosition document, int rank) {

    String exampleId() {
      return ExampleIds.LIVE + document;
    }
  }

  static boolean isDrawn(Program program, TopicPartition partition, long offset) {
    return SeededHash.unit(0, program.name() + "\n" + partition + "@" + offset) < program.shadow();
  }

  /**
   * Records for the validation topic; empty if too few documents came, or less than 10 s ago.
   *
   * @param known ids of the program's examples; asked for once in 10 s
   * @throws org.apache.kafka.common.KafkaException if a source, or its schemas, cannot be read
   */
  List<ProducerRecord<byte[], byte[]>> next(
      Program program, Supplier<Set<String>> known, StreamExamples examples, Instant now) {
    if (!Elapsed.isOver(BETWEEN_LOOKS, lookedAt, now)) {
      return List.of();
    }
    lookedAt = now;
    return look(program, known, examples);
  }

  private List<ProducerRecord<byte[], byte[]>> look(
      Program program, Supplier<Set<String>> known, StreamExamples examples) {
    Set<String> kept = known.get().stream().filter(ExampleIds::isLive).collect(Collectors.toSet());
    if (program.shadow() == 0) {
      return kept.stream().map(id -> examples.tombstone(program, id)).toList();
    }
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer = examples.consumers().get()) {
      List<Drawn> newest = newest(program, consumer);
      Set<String> ids = newest.stream().map(Drawn::exampleId).collect(Collectors.toSet());
      unreadable.retainAll(ids);
      List<Drawn> missing =
          newest.stream()
              .filter(
                  one -> !kept.contains(one.exampleId()) && !unreadable.contains(one.exampleId()))
              .toList();
      if (missing.size() < Math.max(FEWEST, kept.size() / 4)) {
        return List.of();
      }
      for (Drawn one : missing.subList(0, Math.min(missing.size(), MOST_PER_TURN))) {
        try {
          records.add(examples.of(program, one, consumer));
        } catch (BadRecordException e) {
          // It is gone, or the data plane writes it to the dead letters.
          unreadable.add(one.exampleId());
        }
      }
      int surplus = Math.max(0, kept.size() + records.size() - MOST);
      kept.removeAll(ids);
      kept.stream().limit(surplus).forEach(old -> records.add(examples.tombstone(program, old)));
    }
    return records;
  }

  /** The newest drawn positions of all sources, in turn of their partitions. */
  private List<Drawn> newest(Program program, Consumer<byte[], byte[]> consumer) {
    if (program.shadow() != share) {
      share = program.shadow();
      partitions.clear();
    }
    List<Drawn> drawn = new ArrayList<>();
    for (Source source : program.sources()) {
      TopicRange all = TopicRange.all(consumer, source.topic());
      all.end()
          .forEach((partition, end) -> {
            long from = Math.max(all.from().getOrDefault(partition, end), end - LATEST);
            int rank = 0;
            for (long offset : look(program, partition, from, end)) {
              RecordPosition document =
                  new RecordPosition(partition.topic(), partition.partition(), offset);
              drawn.add(new Drawn(source, document, rank++));
            }
          });
    }
    return drawn.stream()
        .sorted(Comparator.comparingInt(Drawn::rank).thenComparing(Drawn::exampleId))
        .limit(MOST)
        .toList();
  }

  /** The drawn offsets of a partition, the newest first; only what came since is looked at. */
  private Deque<Long> look(Program program, TopicPartition partition, long from, long end) {
    Looked before = partitions.get(partition);
    // A topic that was created anew ends before.
    boolean goesOn = before != null && before.end() <= end;
    Deque<Long> drawn = before != null && goesOn ? before.drawn() : new ArrayDeque<>();
    long first = before != null && goesOn ? Math.max(from, before.end()) : from;
    for (long offset = first; offset < end; offset++) {
      if (isDrawn(program, partition, offset)) {
        drawn.addFirst(offset);
      }
    }
    while (drawn.size() > MOST) {
      drawn.removeLast();
    }
    partitions.put(partition, new Looked(end, drawn));
    return drawn;
  }
}
