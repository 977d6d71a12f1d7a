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
  static final int LARGE_MESSAGES = 8 * 1024 * 1024;

  /**
   * Least time before compaction removes a control record, in milliseconds. An optimizer that runs
   * once in this time finds the value in force before a refused record, and restores it.
   */
  static final long CONTROL_COMPACTION_LAG_MS = Duration.ofDays(1).toMillis();

  /** Longest age of an answer in the answer store. */
  public static final Duration LONGEST_ANSWER_AGE = Duration.ofDays(7);

  /** Ends the names of topics that carry documents from one stage to the next. */
  static final String REPARTITION = "-repartition";

  public TopicSpec {
    settings = Map.copyOf(settings);
  }

  private static TopicSpec of(String name, int partitions) {
    return new TopicSpec(name, partitions, Map.of());
  }

  /**
   * A topic whose records have the time of the broker, by which their age counts. By the clock of a
   * process that is days ahead or behind, the broker refuses a record, or deletes it at once.
   */
  private static TopicSpec own(String name, int partitions) {
    return of(name, partitions).with("message.timestamp.type", "LogAppendTime");
  }

  private static TopicSpec compacted(String name, int partitions) {
    return own(name, partitions).with("cleanup.policy", "compact");
  }

  /** Records stay for ever. */
  private static TopicSpec kept(String name, int partitions) {
    return deleted(name, partitions).with("retention.ms", -1).ofAnySize().large();
  }

  private static TopicSpec deleted(String name, int partitions) {
    return own(name, partitions).with("cleanup.policy", "delete");
  }

  private static TopicSpec compactedAndDeleted(String name, int partitions) {
    return own(name, partitions).with("cleanup.policy", "compact,delete");
  }

  /** Brokers may have a limit for topics without one. */
  private TopicSpec ofAnySize() {
    return with("retention.bytes", -1);
  }

  private TopicSpec retained(Duration age) {
    return with("retention.ms", age.toMillis());
  }

  /** Kafka deletes closed segments only. */
  private TopicSpec hourlySegments() {
    return segments(Duration.ofHours(1));
  }

  /**
   * Kafka compacts closed segments only: by default, what was replaced stays for a week or a GB,
   * and whoever reads the topic from its beginning reads it.
   */
  private TopicSpec segments(Duration age) {
    return with("segment.ms", age.toMillis());
  }

  private TopicSpec large() {
    return with("max.message.bytes", LARGE_MESSAGES);
  }

  /**
   * A topic of Kafka Streams. What is deleted of it by age are documents that are in process, of
   * which no other topic tells.
   */
  public static TopicSpec ofInternal(String topic) {
    return topic.endsWith(REPARTITION)
        ? of(topic, 1).with("cleanup.policy", "delete").with("retention.ms", -1).ofAnySize()
        : of(topic, 1).with("cleanup.policy", "compact");
  }

  /** Whether the topic takes records of the size of documents. */
  public boolean isLarge() {
    return settings.containsKey("max.message.bytes");
  }

  private TopicSpec with(String setting, Object value) {
    Map<String, String> more = new HashMap<>(settings);
    more.put(setting, value.toString());
    return new TopicSpec(name, partitions, more);
  }

  /**
   * Topics that all programs share.
   *
   * <p>Timestamps of producers would let compaction remove a control record earlier. Workers divide
   * spending windows by the time of the broker, and records must be kept for the length of a
   * window. Who reads reports tells by their age which process still runs.
   */
  public static List<TopicSpec> shared(KafkaNames names) {
    return List.of(
        compacted(names.control(), 1)
            .with("min.compaction.lag.ms", CONTROL_COMPACTION_LAG_MS)
            .segments(Duration.ofMillis(CONTROL_COMPACTION_LAG_MS))
            .large(),
        own(names.rejections(), 1),
        // Each process replaces its reports every few seconds.
        compacted(names.status(), 1).segments(Duration.ofMinutes(10)),
        compacted(names.learnt(), 1).large(),
        compactedAndDeleted(names.spending(), 1)
            .retained(Duration.ofDays(400))
            .ofAnySize()
            .hourlySegments(),
        compacted(names.versions(), 1).large());
  }

  /** The topic of the answer store, which workers with an answer store need. */
  public static TopicSpec ofAnswers(KafkaNames names) {
    return compactedAndDeleted(names.answers(), 1)
        .retained(LONGEST_ANSWER_AGE)
        .hourlySegments()
        .with("retention.bytes", 1L << 30)
        .large();
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
   * Topics of the search for a plan: examples, samples, observations, corrected results, live
   * answers, and requests for labels.
   *
   * @param partitions of the samples, which limits the number of sampling instances
   */
  public static List<TopicSpec> ofSearch(KafkaNames names, Program program, int partitions) {
    List<TopicSpec> topics =
        new ArrayList<>(
            List.of(
                kept(names.validation(program), 1),
                kept(names.samples(program.name()), partitions),
                kept(names.observations(program.name()), 1)));
    String feedback = program.validation().feedback();
    if (feedback != null) {
      topics.add(kept(feedback, 1));
    }
    if (program.learning() != null) {
      // Classifiers learn from answers of the last time; each has an embedding of about 2 KB.
      topics.add(
          deleted(names.learning(program.name()), 1)
              .retained(Duration.ofDays(30))
              .with("retention.bytes", 256L << 20));
    }
    if (program.review() > 0) {
      // Records of the same document replace the one with its content, which goes within days.
      topics.add(
          compacted(names.review(program.name()), 1)
              .hourlySegments()
              .with("max.compaction.lag.ms", Duration.ofDays(1).toMillis())
              .large());
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
        // Receipts are useless once their document is forwarded.
        compactedAndDeleted(names.receipts(program.name()), receiptPartitions)
            .retained(Duration.ofHours(6))
            .ofAnySize()
            .hourlySegments()
            .large(),
        ofDeadLetters(names, program, partitions),
        of(program.results().topic(), partitions).large());
  }

  /** The topic of dead letters. */
  public static TopicSpec ofDeadLetters(KafkaNames names, Program program, int partitions) {
    return kept(names.deadLetters(program.name()), partitions);
  }

  /**
   * The topic of journeys, which workers that record journeys need. They serve to look at what
   * happened lately.
   */
  public static TopicSpec ofJourneys(KafkaNames names, String program) {
    return deleted(names.journeys(program), 1)
        .retained(Duration.ofDays(2))
        .hourlySegments()
        .with("retention.bytes", 256L << 20);
  }

  /** The topic of the outcomes of {@code abacus replay}, which creates it and reads it at once. */
  public static TopicSpec ofReplayed(KafkaNames names, String program) {
    return deleted(names.replayed(program), 1)
        .retained(Duration.ofHours(6))
        .hourlySegments()
        .large();
  }

  /**
   * The topic of the items of a reference with their vectors.
   *
   * @param partitions of the topic of the reference
   */
  public static TopicSpec ofReference(
      KafkaNames names, Program program, Reference reference, int partitions) {
    return compacted(names.embedded(program.name(), reference.name()), partitions).large();
  }
}
