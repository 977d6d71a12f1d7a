package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.kafka.Topics;
import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(TopicCreator.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    @Override
    public void createShared() {
      create(TopicSpec.shared());
      try {
        TopicSetup.raiseControlCompactionLag(admin);
      } catch (ClusterAuthorizationException | TopicAuthorizationException e) {
        LOG.warn(
            "Cannot check min.compaction.lag.ms of {}, which must be at least a day: {}",
            Topics.CONTROL,
            e.getMessage());
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
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
