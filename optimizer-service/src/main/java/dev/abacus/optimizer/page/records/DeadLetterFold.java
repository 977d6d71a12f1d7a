package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordText;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Groups dead letters by operator and reason, and keeps the last ones. */
final class DeadLetterFold {

  private static final int LONGEST_REASON = 300;
  private static final int LONGEST_PAYLOAD = 20_000;

  /** A number or time that is no part of a name. */
  private static final Pattern NUMBER = Pattern.compile("(?<![\\w.-])\\d+([.,:TZ-]+\\d+)*");

  /** The groups of a program that are kept; further reasons count as one group. */
  private static final int MOST_GROUPS = 200;

  private final Map<String, Map<Group, Cluster.DeadLetterGroup>> programs = new HashMap<>();
  private final Map<String, Recent<Cluster.DeadLetter>> letters = new HashMap<>();

  /**
   * Letters with the same cause.
   *
   * @param reason without numbers and times; those in names, such as those of models, stay
   */
  private record Group(String operator, String reason) {}

  void accept(String program, ConsumerRecord<byte[], byte[]> record) {
    Map<Group, Cluster.DeadLetterGroup> groups =
        programs.computeIfAbsent(program, _ -> new HashMap<>());
    Cluster.DeadLetter letter = letter(record);
    letters
        .computeIfAbsent(program, _ -> new Recent<>())
        .add(letter, record.value() == null ? new byte[0] : record.value());
    String reason = cut(letter.reason().strip().lines().findFirst().orElse(""), LONGEST_REASON);
    Group group = new Group(letter.operator(), NUMBER.matcher(reason).replaceAll("#"));
    if (groups.size() >= MOST_GROUPS && !groups.containsKey(group)) {
      reason = "other reasons";
      group = new Group("", reason);
    }
    Cluster.DeadLetterGroup before = groups.get(group);
    groups.put(
        group,
        new Cluster.DeadLetterGroup(
            group.operator(), reason, before == null ? 1 : before.count() + 1, letter));
  }

  private static Cluster.DeadLetter letter(ConsumerRecord<byte[], byte[]> record) {
    return new Cluster.DeadLetter(
        record.partition() + "-" + record.offset(),
        Instant.ofEpochMilli(record.timestamp()),
        RecordText.key(record),
        RecordText.header(record, Headers.OPERATOR),
        RecordText.header(record, Headers.ATTEMPTS),
        RecordText.header(record, Headers.EXCEPTION_MESSAGE),
        RecordText.origin(record),
        cut(RecordText.value(record), LONGEST_PAYLOAD));
  }

  private static String cut(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length) + "…";
  }

  /** The last letters of a program, the latest first. */
  List<Cluster.DeadLetter> letters(String program) {
    Recent<Cluster.DeadLetter> recent = letters.get(program);
    return recent == null ? List.of() : recent.items();
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
