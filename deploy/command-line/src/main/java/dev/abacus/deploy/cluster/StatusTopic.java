package dev.abacus.deploy.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The last status reports of workers and optimizer. */
public final class StatusTopic {

  /** Key suffix of the optimizer's report on a program. */
  private static final String OPTIMIZER = "optimizer";

  /** Key suffix of the governor's state of a program. */
  private static final String GOVERNOR = "governor";

  private final Map<String, JsonNode> byKey = new TreeMap<>();

  /** Reads the topic to its present end; empty if the topic does not exist. */
  public static StatusTopic read(KafkaConnection connection) {
    StatusTopic status = new StatusTopic();
    String topic = connection.names().status();
    if (connection.topics().contains(topic)) {
      TopicReader.read(connection, topic, status::accept);
    }
    return status;
  }

  /** Applies a record of the topic; ignores an unreadable one. */
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      return;
    }
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (record.value() == null) {
      byKey.remove(key);
      return;
    }
    try {
      byKey.put(key, Json.read(record.value(), JsonNode.class));
    } catch (MalformedRecordException e) {
      // Probably from a newer version; ignored.
    }
  }

  /** Reports of the data-plane instances of a program, by instance. */
  public Map<String, InstanceStatus> instances(String program) {
    Map<String, InstanceStatus> instances = new LinkedHashMap<>();
    byKey.forEach((key, value) -> {
      if (key.startsWith(program + "/")
          && !key.equals(program + "/" + OPTIMIZER)
          && !key.equals(program + "/" + GOVERNOR)) {
        try {
          InstanceStatus status =
              Json.read(value.toString().getBytes(StandardCharsets.UTF_8), InstanceStatus.class);
          instances.put(status.instance(), status);
        } catch (MalformedRecordException e) {
          // As above.
        }
      }
    });
    return Collections.unmodifiableMap(instances);
  }

  /** The optimizer's last report on a program's search; null if none. */
  public @Nullable JsonNode optimizer(String program) {
    return byKey.get(program + "/" + OPTIMIZER);
  }

  /** The governor's state of a program; null if none. */
  public @Nullable JsonNode governor(String program) {
    return byKey.get(program + "/" + GOVERNOR);
  }

  /** Names of all programs with a report. */
  public List<String> programs() {
    List<String> programs = new ArrayList<>();
    for (String key : byKey.keySet()) {
      String program = key.substring(0, Math.max(0, key.indexOf('/')));
      if (!program.isEmpty() && !programs.contains(program)) {
        programs.add(program);
      }
    }
    return programs;
  }
}
