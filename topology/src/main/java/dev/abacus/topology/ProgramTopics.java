package dev.abacus.topology;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.live.Partitions;
import dev.abacus.topology.version.ProgramVersions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the topics that the applications of one program need. Not thread-safe. */
final class ProgramTopics {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramTopics.class);

  private final WorkerKafka kafka;
  private @Nullable Program created;
  private int receiptPartitions;

  ProgramTopics(WorkerKafka kafka) {
    this.kafka = kafka;
  }

  /**
   * Creates the topics of a program that do not exist, and raises the message limits of those that
   * do. Does nothing if the last call was for an equal program.
   *
   * @throws KafkaException if a source topic does not exist or the cluster cannot be reached
   */
  void create(Program program) throws InterruptedException {
    if (program.equals(created)) {
      return;
    }
    int partitions = ofVersion(new ProgramVersions.Version(1, program, null)).most();
    Admin admin = kafka.admin();
    TopicSetup.ensure(
        admin, TopicSpec.ofSearch(kafka.names(), program, partitions), kafka.replicationFactor());
    int samplePartitions = TopicSetup.partitions(admin, kafka.names().samples(program.name()));
    TopicSetup.ensure(
        admin,
        TopicSpec.ofDocuments(
            kafka.names(), program, partitions, Math.max(partitions, samplePartitions)),
        kafka.replicationFactor());
    raiseMessageLimits(program, partitions);
    created = program;
  }

  /**
   * What the topology of a version has to be built for. Sources may have got partitions: a receipt
   * has the partition of its document, so the topic of receipts gets as many.
   *
   * @throws KafkaException if a source topic does not exist or the cluster cannot be reached
   */
  Partitions ofVersion(ProgramVersions.Version version) throws InterruptedException {
    Partitions found = kafka.groups().partitions(version);
    found
        .ofSources()
        .forEach((source, number) -> {
          if (number == 0) {
            throw new KafkaException(
                "the source topic '%s' does not exist; create it, or run: abacus topics create"
                    .formatted(source.topic()));
          }
        });
    receiptPartitions = Math.max(receiptPartitions, found.most());
    growReceipts(version.program().name());
    return found;
  }

  private void growReceipts(String program) throws InterruptedException {
    String receipts = kafka.names().receipts(program);
    List<String> grown = TopicSetup.grow(kafka.admin(), Map.of(receipts, receiptPartitions));
    if (!grown.isEmpty()) {
      LOG.info("Gave {} {} partitions, as a source has them", receipts, receiptPartitions);
    }
  }

  /**
   * Checks that nobody has deleted a topic that documents are read from or written to. It is not
   * created here, since it may be about to be, with other settings; a broker that creates topics by
   * itself gives receipts too few partitions. Does nothing before {@link #create}.
   *
   * @param stated sources and results of all versions that run
   * @throws KafkaException if a topic does not exist
   */
  void requireExisting(Collection<String> stated) throws InterruptedException {
    Program program = created;
    if (program == null) {
      return;
    }
    KafkaNames names = kafka.names();
    Set<String> needed = new TreeSet<>(stated);
    TopicSpec.ofDocuments(names, program, 1, 1).forEach(topic -> needed.add(topic.name()));
    if (program.learning() != null) {
      needed.add(names.learning(program.name()));
    }
    Map<String, Integer> sizes;
    try {
      sizes = TopicSetup.partitions(kafka.admin(), needed);
    } catch (TimeoutException e) {
      return; // Others tell that the cluster does not answer.
    }
    needed.removeAll(sizes.keySet());
    if (!needed.isEmpty()) {
      throw new KafkaException(
          "deleted topics, for which documents wait: %s; create them anew: abacus topics create"
              .formatted(String.join(", ", needed)));
    }
    if (sizes.getOrDefault(names.receipts(program.name()), 0) < receiptPartitions) {
      growReceipts(program.name());
    }
  }

  /** Topics that exist may have a lower limit than the documents that this instance accepts. */
  private void raiseMessageLimits(Program program, int partitions) throws InterruptedException {
    Admin admin = kafka.admin();
    List<String> topics = new ArrayList<>();
    TopicSpec.of(kafka.names(), program, partitions).stream()
        .filter(TopicSpec::isLarge)
        .forEach(topic -> topics.add(topic.name()));
    program
        .references()
        .forEach(items -> topics.add(kafka.names().embedded(program.name(), items.name())));
    topics.addAll(
        TopicSetup.internalTopics(
            admin, kafka.names(), List.of(kafka.names().application(program.name()))));
    List<String> raised = TopicSetup.raiseMessageLimit(admin, topics, kafka.largestMessage());
    if (!raised.isEmpty()) {
      LOG.info("Raised max.message.bytes of {}", raised);
    }
  }
}
