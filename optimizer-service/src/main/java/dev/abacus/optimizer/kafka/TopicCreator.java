package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates missing topics that the control plane reads and writes. */
interface TopicCreator extends AutoCloseable {

  /**
   * Creates the topics that all programs share.
   *
   * @throws dev.abacus.schemas.access.MissingAclException if Kafka does not allow what is needed
   */
  void createShared();

  /**
   * Creates the topics of one program's search.
   *
   * @throws org.apache.kafka.common.errors.InvalidTopicException if a topic name is invalid
   * @throws dev.abacus.schemas.access.MissingAclException if Kafka does not allow what is needed
   */
  void createFor(Program program);

  /** A program was removed: its access is not checked any more. */
  void forget(String program);

  @Override
  void close();

  /** Creates topics on a cluster. */
  static TopicCreator of(Admin admin, KafkaSettings settings, RoleAccess access) {
    return new OnCluster(admin, settings, access);
  }

  /** Creates topics through an admin client. */
  record OnCluster(Admin admin, KafkaSettings settings, RoleAccess access) implements TopicCreator {

    private static final Logger LOG = LoggerFactory.getLogger(TopicCreator.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    @Override
    public void createShared() {
      try {
        access.require(admin);
        create(TopicSpec.shared(settings.names()));
        raiseControlLimits();
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }

    private void raiseControlLimits() throws InterruptedException {
      try {
        TopicSetup.raiseControlLimits(admin, settings.names());
      } catch (KafkaException e) { // What it may not raise may be high enough.
        LOG.warn("Limits of {} are not raised: {}", settings.names().control(), access.describe(e));
      }
    }

    @Override
    public void createFor(Program program) {
      try {
        access.require(admin, program);
        int partitions = settings.topics().samplePartitions();
        if (partitions < 1) {
          String source = program.sources().getFirst().topic();
          partitions = Math.max(1, TopicSetup.partitions(admin, source));
        }
        create(TopicSpec.ofSearch(settings.names(), program, partitions));
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }

    @Override
    public void forget(String program) {
      access.forget(program);
    }

    @Override
    public void close() {
      admin.close(CLOSE_TIMEOUT);
    }

    private void create(List<TopicSpec> topics) throws InterruptedException {
      TopicSetup.ensure(admin, topics, settings.topics().replicationFactor());
    }
  }
}
