package dev.abacus.schemas.kafka;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A topic that the product needs, and how it is to be set up where it does not exist yet.
 *
 * @param name of the topic
 * @param partitions at least 1
 * @param settings topic configuration
 */
public record TopicSpec(String name, int partitions, Map<String, String> settings) {

  /** Dead letters carry whole documents and a reason on top: more than an ordinary topic takes. */
  private static final String LARGE_MESSAGES = String.valueOf(8 * 1024 * 1024);

  private static final Map<String, String> COMPACTED = Map.of("cleanup.policy", "compact");
  private static final Map<String, String> KEPT =
      Map.of("cleanup.policy", "delete", "retention.ms", "-1", "max.message.bytes", LARGE_MESSAGES);

  /** A receipt is of no use once its document is forwarded; only closed segments are deleted. */
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

  public TopicSpec {
    settings = Map.copyOf(settings);
  }

  /** The topics that all programs share. */
  public static List<TopicSpec> shared() {
    return List.of(
        new TopicSpec(Topics.CONTROL, 1, withLargeMessages(COMPACTED)),
        new TopicSpec(Topics.REJECTIONS, 1, Map.of()),
        new TopicSpec(Topics.STATUS, 1, COMPACTED),
        new TopicSpec(Topics.LEARNT, 1, withLargeMessages(COMPACTED)));
  }

  /**
   * The topics that belong to a program, other than its sources.
   *
   * @param partitions of those that are worked on in parallel
   */
  public static List<TopicSpec> of(Program program, int partitions) {
    List<TopicSpec> topics = new ArrayList<>(ofSearch(program, partitions));
    topics.addAll(ofDocuments(program, partitions, partitions));
    return topics;
  }

  /**
   * The topics that a plan is searched through: examples, samples, observations.
   *
   * @param partitions of the samples, which is how many instances can share them
   */
  public static List<TopicSpec> ofSearch(Program program, int partitions) {
    return List.of(
        new TopicSpec(program.validation().topic(), 1, KEPT),
        new TopicSpec(Topics.samples(program.name()), partitions, KEPT),
        new TopicSpec(Topics.observations(program.name()), 1, KEPT));
  }

  /**
   * The topics that documents leave through, and that of receipts.
   *
   * @param partitions those of the source
   * @param receiptPartitions as many as the source or the samples have, whichever is more: a
   *     receipt stands in the partition that its record came from
   */
  public static List<TopicSpec> ofDocuments(
      Program program, int partitions, int receiptPartitions) {
    return List.of(
        new TopicSpec(Topics.receipts(program.name()), receiptPartitions, RECEIPTS),
        ofDeadLetters(program, partitions),
        new TopicSpec(
            program.results().topic(), partitions, Map.of("max.message.bytes", LARGE_MESSAGES)));
  }

  /** The topic of what could not be done. */
  public static TopicSpec ofDeadLetters(Program program, int partitions) {
    return new TopicSpec(Topics.deadLetters(program.name()), partitions, KEPT);
  }

  /**
   * The topic of a reference's items with their vectors.
   *
   * @param partitions those of the reference's own topic
   */
  public static TopicSpec ofReference(Program program, Reference reference, int partitions) {
    return new TopicSpec(
        Topics.embedded(program.name(), reference.name()),
        partitions,
        withLargeMessages(COMPACTED));
  }

  private static Map<String, String> withLargeMessages(Map<String, String> settings) {
    Map<String, String> more = new HashMap<>(settings);
    more.put("max.message.bytes", LARGE_MESSAGES);
    return more;
  }
}
