package dev.abacus.deploy.cluster;

import dev.abacus.schemas.journey.Journey;
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
    try {
      return connection.topics().contains(topic)
          ? TopicReader.values(connection, topic, Journey.class)
          : List.of();
    } catch (AuthorizationException e) {
      return List.of();
    }
  }
}
