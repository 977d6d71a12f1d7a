package dev.abacus.schemas.kafka;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Where a record is, written {@code topic-partition@offset}, as in {@link Headers#SOURCE}. */
public record RecordPosition(String topic, int partition, long offset) {

  private static final Pattern FORM = Pattern.compile("(.+)-([0-9]{1,9})@([0-9]{1,18})");

  /** The position of a record that was read. */
  public static RecordPosition of(ConsumerRecord<?, ?> record) {
    return new RecordPosition(record.topic(), record.partition(), record.offset());
  }

  /** Reads a position; null if the text is none. */
  public static @Nullable RecordPosition parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? new RecordPosition(
            matcher.group(1), Integer.parseInt(matcher.group(2)), Long.parseLong(matcher.group(3)))
        : null;
  }

  @Override
  public String toString() {
    return topic + "-" + partition + "@" + offset;
  }
}
