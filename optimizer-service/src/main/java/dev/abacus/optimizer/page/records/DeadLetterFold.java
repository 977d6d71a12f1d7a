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

/** Groups the dead letters of a program by operator and reason, and keeps the last ones. */
final class DeadLetterFold {

  private static final int LONGEST_REASON = 300;
  private static final int LONGEST_PAYLOAD = 20_000;

  /** A number or time that is no part of a name. */
  private static final Pattern NUMBER = Pattern.compile("(?<![\\w.-])\\d+([.,:TZ-]+\\d+)*");

  /** The groups that are kept; further reasons count as one group. */
  private static final int MOST_GROUPS = 200;

  private final Map<Group, Cluster.DeadLetterGroup> groups = new HashMap<>();
  private final Recent<Cluster.DeadLetter> letters = new Recent<>();

  /**
   * Letters with the same cause.
   *
   * @param reason without numbers and times; those in names, such as those of models, stay
   */
  private record Group(String operator, String reason) {}

  void accept(ConsumerRecord<byte[], byte[]> record) {
    Cluster.DeadLetter letter = letter(record);
    letters.add(letter, record.value() == null ? new byte[0] : record.value());
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

  /** The last letters, the latest first. */
  List<Cluster.DeadLetter> letters() {
    return letters.items();
  }

  /** The groups, the largest first. */
  List<Cluster.DeadLetterGroup> groups() {
    return groups.values().stream()
        .sorted(
            Comparator.comparingLong(Cluster.DeadLetterGroup::count)
                .reversed()
                .thenComparing(Cluster.DeadLetterGroup::reason))
        .toList();
  }
}
