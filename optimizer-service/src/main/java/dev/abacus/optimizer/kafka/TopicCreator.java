package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.InterruptException;

/** Creates missing topics that the control plane reads and writes. */
interface TopicCreator extends AutoCloseable {

  /** Creates the topics that all programs share. */
  void createShared();

  /**
   * Creates the topics of one program's search.
   *
   * @throws org.apache.kafka.common.errors.InvalidTopicException if a topic name is invalid
   */
  void createFor(Program program);

  @Override
  void close();

  /** Creates topics on a cluster. */
  static TopicCreator of(Admin admin, KafkaSettings settings) {
    return new OnCluster(admin, settings);
  }

  /** Creates topics through an admin client. */
  record OnCluster(Admin admin, KafkaSettings settings) implements TopicCreator {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    @Override
    public void createShared() {
      create(TopicSpec.shared());
    }

    @Override
    public void createFor(Program program) {
      try {
        int partitions = settings.topics().samplePartitions();
        if (partitions < 1) {
          String source = program.sources().getFirst().topic();
          partitions = Math.max(1, TopicSetup.partitions(admin, source));
        }
        create(TopicSpec.ofSearch(program, partitions));
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }

    @Override
    public void close() {
      admin.close(CLOSE_TIMEOUT);
    }

    private void create(List<TopicSpec> topics) {
      try {
        TopicSetup.ensure(admin, topics, settings.topics().replicationFactor());
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }
  }
}
