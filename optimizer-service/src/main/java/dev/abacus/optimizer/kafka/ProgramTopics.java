package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the topics of programs and starts to read them. Looks for new partitions every 30 s. */
final class ProgramTopics {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramTopics.class);
  private static final Duration REFRESH = Duration.ofSeconds(30);

  private final TopicCreator creator;
  private final TopicReader reader;
  private Instant refreshed;

  ProgramTopics(TopicCreator creator, TopicReader reader, Instant now) {
    this.creator = creator;
    this.reader = reader;
    this.refreshed = now;
  }

  /** Starts to read the topics that are not read yet. */
  void attach(Collection<ProgramLoop> loops, Instant now) {
    if (Duration.between(refreshed, now).compareTo(REFRESH) > 0) {
      refreshed = now;
      loops.forEach(ProgramLoop::refreshTopics);
    }
    for (ProgramLoop loop : loops) {
      Program program = loop.program();
      if (program != null && loop.needsTopics()) {
        attach(loop, program);
      }
    }
  }

  private void attach(ProgramLoop loop, Program program) {
    try {
      creator.createFor(program);
    } catch (InvalidTopicException e) {
      LOG.warn("Cannot create the topics of program {}: {}", program.name(), e.getMessage());
      return;
    }
    Set<TopicPartition> partitions = reader.partitions(loop.topics());
    if (partitions.isEmpty()) {
      return; // A topic is not known to the broker yet; the next turn tries again.
    }
    Set<TopicPartition> added = new HashSet<>(partitions);
    added.removeAll(loop.partitions());
    if (!added.isEmpty()) {
      reader.add(added);
    }
    loop.attach(added);
  }
}
