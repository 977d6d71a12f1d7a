package dev.abacus.topology.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.topology.runtime.RecordSizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Documents of any size in any program. No record is sent to a topic, of the program or internal,
 * that its producer would refuse; and each document is in one result or in one dead letter.
 */
class RecordSizesTest {

  private static final int LIMIT = 1024 * 1024;
  private static final int DOCUMENTS = 8;
  private static final int SEEDS = 3;

  private static final int[] SIZES = {
    10, 20_000, LIMIT / 5, LIMIT / 3, 2 * LIMIT / 5, LIMIT / 2, 850_000, LIMIT - 700, 3 * LIMIT
  };

  private static final String AGGREGATE =
      """
        - aggregate: groups
          by: [k]
          window: { WINDOW }
          compute: { ids: list(id), n: count, total: sum(x) }
      """;
  private static final String JOIN =
      """
        - join: pairs
          input: docs
          with: others
          within: 1h
          on: on
          kind: left
      """;

  private static final Map<String, String> PROGRAMS =
      Map.of(
          "map",
          StagedFixture.TITLE,
          "fan-out and limit",
          StagedFixture.SPLIT + "  - limit: 1000\n",
          "fixed windows",
          AGGREGATE.replace("WINDOW", "tumbling: 1h"),
          "sessions",
          AGGREGATE.replace("WINDOW", "session: 1m"),
          "a model over groups",
          AGGREGATE.replace("WINDOW", "tumbling: 1h")
              + "    instruction: Sum up.\n    reads: [id, text]\n    writes: { summary: string }\n",
          "join",
          JOIN,
          "join and limit",
          JOIN + "  - { limit: 1000, input: pairs }\n",
          "join and aggregate",
          JOIN
              + AGGREGATE.replace("WINDOW", "tumbling: 1h").replace("by:", "input: pairs\n    by:"),
          "semantic join",
          JOIN + "    condition: They fit.\n");

  @TempDir Path state;

  static Stream<Object[]> runs() {
    return PROGRAMS.keySet().stream()
        .sorted()
        .flatMap(name ->
            Stream.iterate(1, seed -> seed + 1).limit(SEEDS).map(s -> new Object[] {name, s}));
  }

  @ParameterizedTest
  @MethodSource("runs")
  void everyDocumentIsInOneResultOrDeadLetter(String name, int seed) {
    Random random = new Random(seed);
    String operators = PROGRAMS.get(name);
    boolean joins = name.contains("join");
    String yaml = (joins ? StagedFixture.HEAD : StagedFixture.ONE_SOURCE) + operators;
    try (Pipeline p = new Pipeline(state, yaml, LIMIT)) {
      p.operator("title", List::of)
          .operator("split", List::of)
          .operator("pairs", List::of)
          .operator("groups", List::of);
      for (int i = 0; i < DOCUMENTS; i++) {
        send(p, random, "in", "left-" + i + ";", "on-" + i);
        if (joins) {
          send(p, random, "in2", "right-" + i + ";", "on-" + i);
        }
      }
      p.watermark("in", 100_000);
      if (joins) {
        p.watermark("in2", 100_000);
      }
      Map<String, List<TestRecord<byte[], byte[]>>> produced = p.produced();

      produced.forEach((topic, records) ->
          assertThat(records.stream().mapToInt(RecordSizesTest::requestSize).max().orElse(0))
              .as(topic)
              .isLessThanOrEqualTo(new RecordSizes(LIMIT).largestMessage()));
      List<String> ends = new ArrayList<>();
      for (String topic : List.of("out", "staged.dlq")) {
        produced
            .getOrDefault(topic, List.of())
            .forEach(record -> ends.add(new String(record.value(), UTF_8)));
      }
      for (int i = 0; i < DOCUMENTS; i++) {
        long times = ends.stream().filter(containing("left-" + i)).count();
        assertThat(times).as("document %d", i).isEqualTo(1);
      }
    }
  }

  private static Predicate<String> containing(String id) {
    return value -> value.contains("\"id\":\"" + id + ";") || value.contains("\"" + id + ";\"");
  }

  /** What a producer compares with {@code max.request.size}. */
  private static int requestSize(TestRecord<byte[], byte[]> record) {
    return AbstractRecords.estimateSizeInBytesUpperBound(
        RecordBatch.CURRENT_MAGIC_VALUE,
        CompressionType.NONE,
        record.key(),
        record.value(),
        record.headers().toArray());
  }

  /** Sends a document whose key, text, group or join value, or headers are of a random size. */
  private static void send(Pipeline p, Random random, String topic, String id, String on) {
    int size = SIZES[random.nextInt(SIZES.length)];
    int place = random.nextInt(5);
    String large = "x".repeat(size);
    String json =
        "{\"id\":\"%s\",\"x\":1,\"text\":\"%s\",\"k\":\"%s\",\"on\":\"%s\"}"
            .formatted(
                id,
                place == 0 ? large : "t",
                place == 1 ? large : "k",
                place == 2 ? on + large : on);
    String[] headers = new String[place == 4 ? size / 8 : 0];
    Arrays.fill(headers, "h");
    p.send(topic, place == 3 ? id + large : id, json, 1 + random.nextInt(3000), headers);
  }
}
