package dev.abacus.deploy.operate;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.topic.TopicSetup;
import dev.abacus.schemas.topic.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * Creates the topics that the product and its programs need, sources included. What is already
 * there is left as it is.
 *
 * @param partitions of topics that carry documents or samples
 * @param replication copies of every partition; 0 for the cluster's default
 */
public record TopicCreation(int partitions, int replication) {

  private static final Duration VISIBLE = Duration.ofSeconds(10);
  private static final long POLL_MILLIS = 20;

  public TopicCreation {
    if (partitions < 1 || replication < 0) {
      throw new IllegalArgumentException(
          "partitions must be at least 1 and replication at least 0");
    }
  }

  /** The topics of one program: its sources, and those that go with it. */
  public List<TopicSpec> of(Program program) {
    List<TopicSpec> topics = new ArrayList<>();
    program
        .sources()
        .forEach(source -> topics.add(new TopicSpec(source.topic(), partitions, Map.of())));
    topics.addAll(TopicSpec.of(program, partitions));
    return topics;
  }

  /**
   * Creates those that are missing.
   *
   * @return names of the topics that were created
   * @throws OperationFailedException if the cluster refuses or does not answer
   */
  public List<String> create(KafkaConnection connection, Collection<TopicSpec> topics) {
    try (Admin admin = connection.admin()) {
      List<String> created =
          TopicSetup.ensure(admin, topics, (short) (replication == 0 ? -1 : replication));
      awaitVisible(connection, created);
      return created;
    } catch (KafkaException e) {
      throw refused(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused(e);
    }
  }

  /** A topic that was created is known to every broker only a moment later. */
  private static void awaitVisible(KafkaConnection connection, List<String> created)
      throws InterruptedException {
    long deadline = System.nanoTime() + VISIBLE.toNanos();
    while (!connection.topics().containsAll(created) && System.nanoTime() < deadline) {
      Thread.sleep(POLL_MILLIS);
    }
  }

  private static OperationFailedException refused(Exception e) {
    return new OperationFailedException(
        "Kafka did not create the topics: " + e.getMessage(),
        "Check that it runs, that this user may create topics, and --replication.",
        e);
  }
}
