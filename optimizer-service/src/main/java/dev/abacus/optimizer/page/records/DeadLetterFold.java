package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.kafka.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Groups dead letters by operator and reason. */
final class DeadLetterFold {

  private static final int LONGEST_REASON = 300;

  /** A number or time that is no part of a name. */
  private static final Pattern NUMBER = Pattern.compile("(?<![\\w.-])\\d+([.,:TZ-]+\\d+)*");

  /** The groups of a program that are kept; further reasons count as one group. */
  private static final int MOST_GROUPS = 200;

  private final Map<String, Map<Group, Cluster.DeadLetterGroup>> programs = new HashMap<>();

  private record Group(String operator, String reason) {}

  void accept(String program, ConsumerRecord<byte[], byte[]> record) {
    Map<Group, Cluster.DeadLetterGroup> groups =
        programs.computeIfAbsent(program, _ -> new HashMap<>());
    Group group =
        new Group(
            header(record, Headers.OPERATOR), reason(header(record, Headers.EXCEPTION_MESSAGE)));
    if (groups.size() >= MOST_GROUPS && !groups.containsKey(group)) {
      group = new Group("", "other reasons");
    }
    Cluster.DeadLetterGroup before = groups.get(group);
    groups.put(
        group,
        new Cluster.DeadLetterGroup(
            group.operator(),
            group.reason(),
            before == null ? 1 : before.count() + 1,
            record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8),
            source(record),
            Instant.ofEpochMilli(record.timestamp())));
  }

  /**
   * The first line without its numbers and times, so that letters with the same cause have one
   * reason. Numbers in names, such as those of models, stay.
   */
  private static String reason(String message) {
    String line = message.strip().lines().findFirst().orElse("");
    String reason = NUMBER.matcher(line).replaceAll("#");
    return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON) + "…";
  }

  /** The source record as journeys name it. */
  private static String source(ConsumerRecord<byte[], byte[]> record) {
    String topic = header(record, Headers.EXCEPTION_TOPIC);
    return topic.isEmpty()
        ? ""
        : "%s-%s@%s"
            .formatted(
                topic,
                header(record, Headers.EXCEPTION_PARTITION),
                header(record, Headers.EXCEPTION_OFFSET));
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  /** The groups of a program, the largest first. */
  List<Cluster.DeadLetterGroup> groups(String program) {
    return programs.getOrDefault(program, Map.of()).values().stream()
        .sorted(
            Comparator.comparingLong(Cluster.DeadLetterGroup::count)
                .reversed()
                .thenComparing(Cluster.DeadLetterGroup::reason))
        .toList();
  }
}
