package dev.abacus.schemas.avro;

import java.util.Arrays;
import java.util.Locale;
import org.apache.avro.Schema;
import org.apache.kafka.common.errors.SerializationException;

/**
 * How a topic and a schema name the registry's subject; the three strategies of Confluent's serdes.
 */
public enum SubjectNaming {
  /** {@code <topic>-key} or {@code <topic>-value}: one evolving schema per topic. The default. */
  TOPIC("TopicNameStrategy"),
  /** The record's full name: one evolving schema per record type, whatever the topic. */
  RECORD("RecordNameStrategy"),
  /** {@code <topic>-<record's full name>}: several record types on a topic. */
  TOPIC_RECORD("TopicRecordNameStrategy");

  private static final String CONFLUENT_PACKAGE = "io.confluent.kafka.serializers.subject.";

  private final String strategy;

  SubjectNaming(String strategy) {
    this.strategy = strategy;
  }

  /** The strategy's class name without its package; what the configuration defaults to. */
  public String strategy() {
    return strategy;
  }

  /**
   * Reads Confluent's class name, with or without its package, or the name of a constant here.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static SubjectNaming parse(String name) {
    String bare =
        name.startsWith(CONFLUENT_PACKAGE) ? name.substring(CONFLUENT_PACKAGE.length()) : name;
    return Arrays.stream(values())
        .filter(it -> it.strategy.equals(bare) || it.name().equals(bare.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "'%s' is not a subject name strategy; there are %s"
                    .formatted(
                        name, Arrays.stream(values()).map(SubjectNaming::strategy).toList())));
  }

  /**
   * The subject of a schema on a topic.
   *
   * @throws SerializationException if the strategy goes by the record's name and the schema is no
   *     record
   */
  public String subject(String topic, boolean key, Schema schema) {
    return switch (this) {
      case TOPIC -> topic + (key ? "-key" : "-value");
      case RECORD -> recordName(topic, schema);
      case TOPIC_RECORD -> topic + "-" + recordName(topic, schema);
    };
  }

  private String recordName(String topic, Schema schema) {
    if (schema.getType() != Schema.Type.RECORD) {
      throw new SerializationException(
          "%s names subjects by record, but the schema for topic '%s' is of type %s"
              .formatted(strategy, topic, schema.getType().getName()));
    }
    return schema.getFullName();
  }
}
