package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.InterruptException;

/** Creates the topics that the control plane reads and writes, where they are missing. */
final class SearchTopics {

  private final Admin admin;
  private final ExchangeSettings settings;

  SearchTopics(Admin admin, ExchangeSettings settings) {
    this.admin = admin;
    this.settings = settings;
  }

  /** Those that all programs share. */
  void createShared() {
    create(TopicSpec.shared());
  }

  /** Those that the search for a program's plan needs. */
  void createFor(Program program) {
    try {
      int partitions = settings.samplePartitions();
      if (partitions < 1) {
        String source = program.sources().getFirst().topic();
        partitions = Math.max(1, TopicSetup.partitions(admin, source));
      }
      create(TopicSpec.ofSearch(program, partitions));
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private void create(List<TopicSpec> topics) {
    try {
      TopicSetup.ensure(admin, topics, settings.replicationFactor());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
