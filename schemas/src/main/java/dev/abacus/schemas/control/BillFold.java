package dev.abacus.schemas.control;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Folds the spending topic into what each instance spent for a program in each hour. Not
 * thread-safe.
 */
public final class BillFold {

  private final Map<String, BillRecord> records = new TreeMap<>();
  private long first = Long.MIN_VALUE;

  /** Forgets all hours that begin before the hour of a time. */
  public void keepFrom(Instant time) {
    long hour = BillSummary.hour(time);
    if (hour > first) {
      first = hour;
      records.values().removeIf(record -> record.hour() < first);
    }
  }

  /**
   * Applies a record of the topic. One that is no bill, or that cannot be read, probably of a newer
   * version, is ignored.
   */
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      return;
    }
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (record.value() == null) {
      records.remove(key);
    } else if (record.headers().lastHeader(Headers.BILL) != null) {
      BillRecord bill = Json.find(record.value(), BillRecord.class);
      if (bill != null && bill.hour() >= first) {
        records.put(key, bill);
      }
    }
  }

  /** The records of a program, each as it was written last. */
  public List<BillRecord> of(String program) {
    return records.values().stream().filter(bill -> bill.program().equals(program)).toList();
  }
}
