package dev.abacus.deploy.cluster;

import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.AuthorizationException;

/** Reads the journeys that workers have recorded. */
public final class JourneyRecords {

  private JourneyRecords() {}

  /**
   * The journeys of a program; empty if no worker records any, or if this user may not read them.
   */
  public static List<Journey> read(KafkaConnection connection, String program) {
    String topic = connection.names().journeys(program);
    List<Journey> journeys = new ArrayList<>();
    try {
      if (connection.topics().contains(topic)) {
        TopicReader.read(
            connection,
            topic,
            record -> {
              if (record.value() != null) {
                try {
                  journeys.add(Json.read(record.value(), Journey.class));
                } catch (MalformedRecordException e) {
                  // Probably from a newer version; ignored.
                }
              }
            });
      }
    } catch (AuthorizationException e) {
      return List.of();
    }
    return journeys;
  }
}
