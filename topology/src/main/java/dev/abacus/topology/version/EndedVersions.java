package dev.abacus.topology.version;

import dev.abacus.schemas.kafka.KafkaNames;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes the internal topics of versions that have ended. No version uses them again: going back
 * to an earlier definition is a new version. A version is given a minute, and until its group has
 * no members, so that no worker recreates the topics.
 *
 * <p>The application id of the first version is a prefix of those of other applications, so its
 * topics are removed by their names, by a worker that has run it. Used by one thread.
 */
public final class EndedVersions {

  private static final Duration PAUSE = Duration.ofMinutes(1);

  /** Groups and topics of a cluster. */
  public interface Topics {

    /** Whether an application has members. */
    boolean hasMembers(String application) throws InterruptedException;

    /** Internal topics whose names begin as those of an application. */
    List<String> internal(String application) throws InterruptedException;

    /** Deletes topics; a topic that does not exist is ignored. */
    void delete(List<String> topics) throws InterruptedException;
  }

  private final String program;
  private final KafkaNames names;
  private final Topics topics;
  private final InstantSource clock;
  private final Map<Integer, Set<String>> known = new HashMap<>();

  /** When this worker first saw that a version has ended; null after the removal. */
  private final Map<Integer, @Nullable Instant> ended = new HashMap<>();

  public EndedVersions(String program, KafkaNames names, Topics topics, InstantSource clock) {
    this.program = program;
    this.names = names;
    this.topics = topics;
    this.clock = clock;
  }

  /** This worker has run a version with these internal topics. */
  public void ran(int version, Set<String> internalTopics) {
    known.put(version, Set.copyOf(internalTopics));
  }

  /**
   * Removes the topics that may be removed now.
   *
   * @return the removed topics
   */
  public List<String> remove(ProgramVersions now) throws InterruptedException {
    List<String> removed = new ArrayList<>();
    for (int version = 1; version < now.current().number(); version++) {
      if (now.ending(version) == null && isDue(version)) {
        String application = names.application(program, version);
        if (!topics.hasMembers(application)) {
          List<String> own = own(version, application);
          topics.delete(own);
          removed.addAll(own);
          ended.put(version, null);
        }
      }
    }
    return removed;
  }

  private boolean isDue(int version) {
    if (!ended.containsKey(version)) {
      ended.put(version, clock.instant());
    }
    Instant since = ended.get(version);
    return since != null && Duration.between(since, clock.instant()).compareTo(PAUSE) >= 0;
  }

  private List<String> own(int version, String application) throws InterruptedException {
    Set<String> exact = known.getOrDefault(version, Set.of());
    return topics.internal(application).stream()
        .filter(topic -> version > 1 || exact.contains(topic))
        .toList();
  }
}
