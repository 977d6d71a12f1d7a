package dev.abacus.schemas.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Folds the status topic into the last report of each worker and of the optimizer. Not thread-safe.
 */
public final class StatusReports {

  /** Longer than any reporting interval by default. */
  private static final Duration SILENT_AFTER = Duration.ofSeconds(60);

  /** Key suffixes of the optimizer's report on a program, and of its governor's. */
  private static final String OPTIMIZER = "/optimizer";

  private static final String GOVERNOR = "/governor";

  private final Map<String, InstanceStatus> instances = new TreeMap<>();
  private final Map<String, JsonNode> others = new TreeMap<>();

  /**
   * Applies a record of the topic. One that cannot be read, probably of a newer version, is
   * ignored.
   *
   * @return the report, if it is that of a worker
   */
  public @Nullable InstanceStatus accept(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      return null;
    }
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (record.value() == null) {
      instances.remove(key);
      others.remove(key);
      return null;
    }
    try {
      if (key.endsWith(OPTIMIZER) || key.endsWith(GOVERNOR)) {
        others.put(key, other(record));
        return null;
      }
      InstanceStatus status = read(record);
      instances.put(key, status);
      return status;
    } catch (MalformedRecordException e) {
      return null;
    }
  }

  /**
   * Reads the report of a worker. Its time is that of the broker, if the topic has that: the clocks
   * of hosts differ, and who reads reports tells by their age which worker still runs.
   *
   * @throws MalformedRecordException if it cannot be read
   */
  public static InstanceStatus read(ConsumerRecord<byte[], byte[]> record)
      throws MalformedRecordException {
    InstanceStatus status = Json.read(record.value(), InstanceStatus.class);
    Instant at = brokerTime(record);
    return at == null ? status : status.toBuilder().at(at).build();
  }

  private static JsonNode other(ConsumerRecord<byte[], byte[]> record)
      throws MalformedRecordException {
    JsonNode report = Json.read(record.value(), JsonNode.class);
    Instant at = brokerTime(record);
    return at != null && report instanceof ObjectNode fields && fields.has("at")
        ? fields.put("at", at.toString())
        : report;
  }

  /** When the broker took a record; null if the topic does not tell. */
  public static @Nullable Instant brokerTime(ConsumerRecord<byte[], byte[]> record) {
    return record.timestampType() == TimestampType.LOG_APPEND_TIME
        ? Instant.ofEpochMilli(record.timestamp())
        : null;
  }

  /** The last reports of all workers on all programs. */
  public Collection<InstanceStatus> instances() {
    return Collections.unmodifiableCollection(instances.values());
  }

  /** The last reports of the workers of a program, by instance. */
  public List<InstanceStatus> instances(String program) {
    return instances.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(program + "/"))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** The optimizer's last report on a program's search; null if none. */
  public @Nullable JsonNode optimizer(String program) {
    return others.get(program + OPTIMIZER);
  }

  /** The governor's state of a program; null if none. */
  public @Nullable JsonNode governor(String program) {
    return others.get(program + GOVERNOR);
  }

  /**
   * A worker reports every few seconds, so an old report says nothing about the present. Nor does
   * one from the future: its clock was ahead, and it would count until ours gets there.
   */
  public static boolean isSilent(Instant at, Instant now) {
    return Duration.between(at, now).abs().compareTo(SILENT_AFTER) > 0;
  }
}
