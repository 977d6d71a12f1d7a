package dev.abacus.schemas.kafka;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A required topic and its configuration if it must be created.
 *
 * @param name of the topic
 * @param partitions at least 1
 * @param settings topic configuration
 */
public record TopicSpec(String name, int partitions, Map<String, String> settings) {

  /** Dead letters have a whole document and a reason, which may exceed the default limit. */
  private static final String LARGE_MESSAGES = String.valueOf(8 * 1024 * 1024);

  private static final Map<String, String> COMPACTED = Map.of("cleanup.policy", "compact");

  /**
   * Least time before compaction removes a control record, in milliseconds. An optimizer that runs
   * once in this time finds the value in force before a refused record, and restores it.
   */
  static final long CONTROL_COMPACTION_LAG_MS = Duration.ofDays(1).toMillis();

  /** Timestamps of producers would let compaction remove a record earlier. */
  private static final Map<String, String> CONTROL =
      Map.of(
          "cleanup.policy",
          "compact",
          "min.compaction.lag.ms",
          String.valueOf(CONTROL_COMPACTION_LAG_MS),
          "message.timestamp.type",
          "LogAppendTime");

  private static final Map<String, String> KEPT =
      Map.of("cleanup.policy", "delete", "retention.ms", "-1", "max.message.bytes", LARGE_MESSAGES);

  /**
   * Workers divide spending windows by the time of the broker. Records must be kept for the length
   * of a window.
   */
  private static final Map<String, String> SPENDING =
      Map.of(
          "cleanup.policy",
          "compact,delete",
          "retention.ms",
          String.valueOf(Duration.ofDays(400).toMillis()),
          "message.timestamp.type",
          "LogAppendTime");

  /** Receipts are useless once their document is forwarded; Kafka deletes closed segments only. */
  private static final Map<String, String> RECEIPTS =
      Map.of(
          "cleanup.policy",
          "compact,delete",
          "retention.ms",
          String.valueOf(Duration.ofHours(6).toMillis()),
          "segment.ms",
          String.valueOf(Duration.ofHours(1).toMillis()),
          "max.message.bytes",
          LARGE_MESSAGES);

  /** Longest age of an answer in the answer store. */
  public static final Duration LONGEST_ANSWER_AGE = Duration.ofDays(7);

  /** The age of an answer counts by the time of the broker. */
  private static final Map<String, String> ANSWERS =
      Map.of(
          "cleanup.policy",
          "compact,delete",
          "retention.ms",
          String.valueOf(LONGEST_ANSWER_AGE.toMillis()),
          "retention.bytes",
          String.valueOf(1L << 30),
          "segment.ms",
          String.valueOf(Duration.ofHours(1).toMillis()),
          "message.timestamp.type",
          "LogAppendTime",
          "max.message.bytes",
          LARGE_MESSAGES);

  /** Classifiers learn from answers of the last time; each has an embedding of about 2 KB. */
  private static final Map<String, String> LEARNING =
      Map.of(
          "cleanup.policy",
          "delete",
          "retention.ms",
          String.valueOf(Duration.ofDays(30).toMillis()),
          "retention.bytes",
          String.valueOf(256L << 20));

  /** Journeys serve to look at what happened lately. */
  private static final Map<String, String> JOURNEYS =
      Map.of(
          "cleanup.policy",
          "delete",
          "retention.ms",
          String.valueOf(Duration.ofDays(2).toMillis()),
          "retention.bytes",
          String.valueOf(256L << 20),
          "segment.ms",
          String.valueOf(Duration.ofHours(1).toMillis()));

  /** A command reads the outcomes of its replay while it runs. */
  private static final Map<String, String> REPLAYED =
      Map.of(
          "cleanup.policy",
          "delete",
          "retention.ms",
          String.valueOf(Duration.ofHours(6).toMillis()),
          "segment.ms",
          String.valueOf(Duration.ofHours(1).toMillis()),
          "max.message.bytes",
          LARGE_MESSAGES);

  public TopicSpec {
    settings = Map.copyOf(settings);
  }

  /** Topics that all programs share. */
  public static List<TopicSpec> shared(KafkaNames names) {
    return List.of(
        new TopicSpec(names.control(), 1, withLargeMessages(CONTROL)),
        new TopicSpec(names.rejections(), 1, Map.of()),
        new TopicSpec(names.status(), 1, COMPACTED),
        new TopicSpec(names.learnt(), 1, withLargeMessages(COMPACTED)),
        new TopicSpec(names.spending(), 1, SPENDING),
        new TopicSpec(names.versions(), 1, withLargeMessages(COMPACTED)));
  }

  /** The topic of the answer store, which workers with an answer store need. */
  public static TopicSpec ofAnswers(KafkaNames names) {
    return new TopicSpec(names.answers(), 1, ANSWERS);
  }

  /**
   * Topics of a program, except its sources.
   *
   * @param partitions of the topics that instances process in parallel
   */
  public static List<TopicSpec> of(KafkaNames names, Program program, int partitions) {
    List<TopicSpec> topics = new ArrayList<>(ofSearch(names, program, partitions));
    topics.addAll(ofDocuments(names, program, partitions, partitions));
    return topics;
  }

  /**
   * Topics of the search for a plan: examples, samples, observations, corrected results, and live
   * answers.
   *
   * @param partitions of the samples, which limits the number of sampling instances
   */
  public static List<TopicSpec> ofSearch(KafkaNames names, Program program, int partitions) {
    List<TopicSpec> topics =
        new ArrayList<>(
            List.of(
                new TopicSpec(names.validation(program), 1, KEPT),
                new TopicSpec(names.samples(program.name()), partitions, KEPT),
                new TopicSpec(names.observations(program.name()), 1, KEPT)));
    String feedback = program.validation().feedback();
    if (feedback != null) {
      topics.add(new TopicSpec(feedback, 1, KEPT));
    }
    if (program.learning() != null) {
      topics.add(new TopicSpec(names.learning(program.name()), 1, LEARNING));
    }
    return topics;
  }

  /**
   * Topics of results, dead letters and receipts.
   *
   * @param partitions of the source
   * @param receiptPartitions maximum of the partitions of source and samples, because a receipt has
   *     the partition of its record
   */
  public static List<TopicSpec> ofDocuments(
      KafkaNames names, Program program, int partitions, int receiptPartitions) {
    return List.of(
        new TopicSpec(names.receipts(program.name()), receiptPartitions, RECEIPTS),
        ofDeadLetters(names, program, partitions),
        new TopicSpec(
            program.results().topic(), partitions, Map.of("max.message.bytes", LARGE_MESSAGES)));
  }

  /** The topic of dead letters. */
  public static TopicSpec ofDeadLetters(KafkaNames names, Program program, int partitions) {
    return new TopicSpec(names.deadLetters(program.name()), partitions, KEPT);
  }

  /** The topic of journeys, which workers that record journeys need. */
  public static TopicSpec ofJourneys(KafkaNames names, String program) {
    return new TopicSpec(names.journeys(program), 1, JOURNEYS);
  }

  /** The topic of the outcomes of {@code abacus replay}, which the command creates. */
  public static TopicSpec ofReplayed(KafkaNames names, String program) {
    return new TopicSpec(names.replayed(program), 1, REPLAYED);
  }

  /**
   * The topic of the items of a reference with their vectors.
   *
   * @param partitions of the topic of the reference
   */
  public static TopicSpec ofReference(
      KafkaNames names, Program program, Reference reference, int partitions) {
    return new TopicSpec(
        names.embedded(program.name(), reference.name()), partitions, withLargeMessages(COMPACTED));
  }

  private static Map<String, String> withLargeMessages(Map<String, String> settings) {
    Map<String, String> more = new HashMap<>(settings);
    more.put("max.message.bytes", LARGE_MESSAGES);
    return more;
  }
}
