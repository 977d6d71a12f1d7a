package dev.abacus.deploy.cluster;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * Creates the topics of the product and its programs, including sources and references. Does not
 * change existing topics.
 *
 * @param partitions number of partitions of topics that carry documents or samples
 * @param replication replication factor; 0 for the cluster's default
 */
public record TopicCreation(int partitions, int replication) {

  public TopicCreation {
    if (partitions < 1 || replication < 0) {
      throw new IllegalArgumentException(
          "partitions must be at least 1 and replication at least 0");
    }
  }

  private static final String REFUSED = "Kafka did not create the topics";
  private static final String REMEDY =
      "Check that it runs, that this user may create topics, and --replication.";

  private static final Map<String, String> REFERENCE = Map.of("cleanup.policy", "compact");

  /** The topics of one program: its sources, references and own topics, except embedded items. */
  public List<TopicSpec> of(KafkaNames names, Program program) {
    List<TopicSpec> topics = new ArrayList<>();
    program
        .sources()
        .forEach(source -> topics.add(new TopicSpec(source.topic(), partitions, Map.of())));
    // Every instance reads the whole reference, so more partitions do not help.
    program
        .references()
        .forEach(reference -> topics.add(new TopicSpec(reference.topic(), 1, REFERENCE)));
    topics.addAll(TopicSpec.of(names, program, partitions));
    return topics;
  }

  /**
   * Creates the missing topics that all programs share.
   *
   * @return names of the created topics
   * @throws OperationFailedException if the cluster refuses or does not answer
   */
  public List<String> createShared(KafkaConnection connection) {
    return create(connection, TopicSpec.shared(connection.names()));
  }

  /**
   * Creates the missing topics.
   *
   * @return names of the created topics
   * @throws OperationFailedException if the cluster refuses or does not answer
   */
  public List<String> create(KafkaConnection connection, Collection<TopicSpec> topics) {
    return connection.administer(REFUSED, REMEDY, admin -> ensure(admin, topics));
  }

  /**
   * Creates the missing topics of a program, those of embedded items with as many partitions as
   * their reference has.
   *
   * @return names of the created topics
   * @throws OperationFailedException if the cluster refuses or does not answer
   */
  public List<String> create(KafkaConnection connection, Program program) {
    return connection.administer(
        REFUSED,
        REMEDY,
        admin -> {
          List<String> created = new ArrayList<>(ensure(admin, of(connection.names(), program)));
          for (Reference reference : program.references()) {
            int items = TopicSetup.partitions(admin, reference.topic());
            created.addAll(
                ensure(
                    admin,
                    List.of(TopicSpec.ofReference(connection.names(), program, reference, items))));
          }
          return created;
        });
  }

  private List<String> ensure(Admin admin, Collection<TopicSpec> topics)
      throws InterruptedException {
    return TopicSetup.ensure(admin, topics, (short) (replication == 0 ? -1 : replication));
  }
}
