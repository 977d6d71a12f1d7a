package dev.abacus.deploy.cluster;

import dev.abacus.schemas.control.BillRecord;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads what programs spent from the spending topic. */
public final class BillRecords {

  private BillRecords() {}

  /**
   * The records of a program, each as it was written last.
   *
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public static List<BillRecord> read(KafkaConnection connection, String program) {
    String topic = connection.names().spending();
    connection.requireTopics(List.of(topic));
    Map<String, BillRecord> records = new TreeMap<>();
    TopicReader.read(
        connection,
        topic,
        record -> {
          if (record.key() == null) {
            return;
          }
          String key = new String(record.key(), StandardCharsets.UTF_8);
          if (record.value() == null) {
            records.remove(key);
          } else if (key.startsWith(program + "/")
              && record.headers().lastHeader(Headers.BILL) != null) {
            try {
              records.put(key, Json.read(record.value(), BillRecord.class));
            } catch (MalformedRecordException e) {
              // Of a newer version; ignored.
            }
          }
        });
    return List.copyOf(records.values());
  }
}
