package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Elapsed;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the topics of programs and starts to read them. Looks for new partitions every 30 s. */
final class ProgramTopics {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramTopics.class);
  private static final Duration REFRESH = Duration.ofSeconds(30);

  private final TopicCreator creator;
  private final TopicReader reader;
  private final Supervisor supervisor;
  private Instant refreshed;

  /** Programs whose topics may not be used. */
  private final Map<String, Denied> denied = new HashMap<>();

  private record Denied(ThreadHealth health, Duration pause, Instant at) {}

  ProgramTopics(TopicCreator creator, TopicReader reader, Supervisor supervisor, Instant now) {
    this.creator = creator;
    this.reader = reader;
    this.supervisor = supervisor;
    this.refreshed = now;
  }

  /** Starts to read the topics that are not read yet. */
  void attach(Collection<ProgramLoop> loops, Instant now) {
    if (Elapsed.isOver(REFRESH, refreshed, now)) {
      refreshed = now;
      loops.forEach(ProgramLoop::refreshTopics);
    }
    for (ProgramLoop loop : loops) {
      Program program = loop.program();
      if (program == null) {
        creator.forget(loop.name());
        forget(loop.name());
      } else if (loop.needsTopics() && isDue(denied.get(program.name()), now)) {
        attachIfAllowed(loop, program, now);
      }
    }
  }

  /** What Kafka refuses to one program must not stop the others. */
  private void attachIfAllowed(ProgramLoop loop, Program program, Instant now) {
    String name = program.name();
    try {
      attach(loop, program);
      if (forget(name)) {
        LOG.info("Kafka allows what program {} needs again", name);
      }
    } catch (AuthorizationException | PolicyViolationException | InvalidTopicException e) {
      Denied before = denied.get(name);
      ThreadHealth health = before == null ? supervisor.watch(thread(name)) : before.health();
      Duration pause = health.failed(e);
      denied.put(name, new Denied(health, pause == null ? REFRESH : pause, now));
    }
  }

  private static String thread(String program) {
    return "topics of " + program;
  }

  private boolean forget(String program) {
    supervisor.forget(thread(program));
    return denied.remove(program) != null;
  }

  /** Why the topics of a program may not be used; null if they may. */
  @Nullable String denial(String program) {
    Denied denial = denied.get(program);
    return denial == null ? null : denial.health().status().cause();
  }

  private static boolean isDue(@Nullable Denied before, Instant now) {
    return before == null || Elapsed.isOver(before.pause(), before.at(), now);
  }

  private void attach(ProgramLoop loop, Program program) {
    creator.createFor(program);
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
