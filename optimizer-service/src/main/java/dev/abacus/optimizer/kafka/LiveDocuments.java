package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.loop.state.ExampleIds;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Draws the live documents that the search of a program also runs beside the plan ({@link
 * Program#shadow}), and makes examples without labels of them.
 *
 * <p>A hash of program and position in the source draws, so neither load nor content chooses, and a
 * restart draws the same documents. The newest {@value #MOST} are kept, older ones removed. They
 * come when there are a quarter more, at least {@value #FEWEST}: no search for each document.
 */
final class LiveDocuments {

  static final int MOST = 200;
  private static final int FEWEST = 8;

  /** Documents per turn, so that reading them does not delay a turn for long. */
  private static final int MOST_PER_TURN = 50;

  /** Positions of a partition among which documents are drawn: the latest ones. */
  private static final long LATEST = 100_000;

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);

  private final StreamExamples examples;
  private final Map<String, Instant> lookedAt = new HashMap<>();

  /** Ids of drawn positions without a readable document, by program. */
  private final Map<String, Set<String>> unreadable = new HashMap<>();

  LiveDocuments(StreamExamples examples) {
    this.examples = examples;
  }

  /** The position of a drawn document; {@code rank} later ones of its partition are drawn. */
  record Drawn(Source source, TopicPartition partition, long offset, int rank) {

    String exampleId() {
      return ExampleIds.LIVE + partition + "@" + offset;
    }
  }

  static boolean isDrawn(Program program, TopicPartition partition, long offset) {
    String position = program.name() + "\n" + partition + "@" + offset;
    return (SeededHash.of(0, position) >>> 11) * 0x1.0p-53 < program.shadow();
  }

  /**
   * Records for the validation topic; empty if too few documents came, or less than 5 s ago.
   *
   * @param known ids of the program's examples
   * @throws org.apache.kafka.common.errors.TimeoutException if a source does not answer in time
   */
  List<ProducerRecord<byte[], byte[]>> next(Program program, Set<String> known, Instant now) {
    Instant last = lookedAt.get(program.name());
    if (last != null && Duration.between(last, now).abs().compareTo(BETWEEN_LOOKS) < 0) {
      return List.of();
    }
    lookedAt.put(program.name(), now);
    Set<String> useless = unreadable.computeIfAbsent(program.name(), _ -> new HashSet<>());
    Set<String> kept = known.stream().filter(ExampleIds::isLive).collect(Collectors.toSet());
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer = examples.consumer()) {
      List<Drawn> newest = newest(program, consumer);
      Set<String> ids = newest.stream().map(Drawn::exampleId).collect(Collectors.toSet());
      useless.retainAll(ids);
      List<Drawn> missing =
          newest.stream()
              .filter(one -> !kept.contains(one.exampleId()) && !useless.contains(one.exampleId()))
              .toList();
      if (missing.size() < Math.max(FEWEST, kept.size() / 4)) {
        return List.of();
      }
      for (Drawn one : missing.subList(0, Math.min(missing.size(), MOST_PER_TURN))) {
        try {
          records.add(examples.of(program, one, consumer));
        } catch (BadRecordException e) {
          // It is gone, or the data plane writes it to the dead letters.
          useless.add(one.exampleId());
        }
      }
      int surplus = Math.max(0, kept.size() + records.size() - MOST);
      kept.removeAll(ids);
      kept.stream().limit(surplus).forEach(old -> records.add(examples.tombstone(program, old)));
    }
    return records;
  }

  /** The newest drawn positions of all sources, in turn of their partitions. */
  private static List<Drawn> newest(Program program, Consumer<byte[], byte[]> consumer) {
    List<Drawn> drawn = new ArrayList<>();
    for (Source source : program.sources()) {
      TopicRange all = TopicRange.all(consumer, source.topic());
      all.end()
          .forEach((partition, end) -> {
            long first = Math.max(all.from().getOrDefault(partition, end), end - LATEST);
            int rank = 0;
            for (long offset = end - 1; offset >= first && rank < MOST; offset--) {
              if (isDrawn(program, partition, offset)) {
                drawn.add(new Drawn(source, partition, offset, rank++));
              }
            }
          });
    }
    return drawn.stream()
        .sorted(Comparator.comparingInt(Drawn::rank).thenComparing(Drawn::exampleId))
        .limit(MOST)
        .toList();
  }
}
