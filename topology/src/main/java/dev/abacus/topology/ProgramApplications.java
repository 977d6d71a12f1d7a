package dev.abacus.topology;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.supervision.SideBySide;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.live.Partitions;
import dev.abacus.topology.runtime.ReceiptTopic;
import dev.abacus.topology.version.EndedVersions;
import dev.abacus.topology.version.ProgramShape;
import dev.abacus.topology.version.ProgramVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Kafka Streams applications of one program on this instance. They start one after the other:
 *
 * <ol>
 *   <li>References, at once.
 *   <li>Samples, when all references are read to their end. They need no plan, because the
 *       optimizer needs samples to find one.
 *   <li>Documents, when a plan is active: of the version that takes new documents, and of earlier
 *       versions until they have ended.
 * </ol>
 *
 * <p>One thread opens, advances and closes; other threads may read the state.
 */
final class ProgramApplications implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramApplications.class);

  private final String program;
  private final ProgramPlans plans;
  private final WorkerKafka kafka;
  private final Supervisor supervisor;
  private final ProgramServices services;
  private final EndedVersions ended;
  private final ProgramTopics topics;
  private @Nullable StreamsApplication samples;

  /** By version; written by the one thread. */
  private final Map<Integer, VersionDocuments> documents = new ConcurrentSkipListMap<>();

  private volatile @Nullable ProgramVersions versions;

  /**
   * No application but that of the references.
   *
   * @param services which no others share
   */
  ProgramApplications(
      String program, ProgramPlans plans, StreamsServices streams, ProgramServices services) {
    this.program = program;
    this.plans = plans;
    this.kafka = streams.kafka();
    this.supervisor = streams.supervisor(program);
    this.services = services;
    this.ended = new EndedVersions(program, kafka.names(), kafka.groups(), streams.clock());
    this.topics = new ProgramTopics(kafka);
  }

  /**
   * Starts what can be started, stops versions that must not run, and pauses or resumes the others.
   *
   * @throws KafkaException if a source topic does not exist or the cluster cannot be reached
   */
  void advance(Program definition, ProgramPlans.State state, ProgramVersions now)
      throws InterruptedException {
    versions = now;
    List<ProgramVersions.Version> wanted = new ArrayList<>();
    if (!now.stopping()) {
      wanted.add(now.current());
    }
    now.ending().forEach(old -> wanted.add(old.version()));
    stopOthers(wanted, now);
    if (!services.references().isComplete()) {
      return;
    }
    if (samples == null) {
      topics.create(definition);
      kafka.groups().resumeSamples(program);
      samples = services.startSamples();
    }
    for (ProgramVersions.Version version : wanted) {
      start(version, definition);
    }
    for (VersionDocuments running : documents.values()) {
      running.application().pause(state.paused());
    }
  }

  /**
   * Checks that the topics of documents still exist. Call it now and then.
   *
   * @throws KafkaException if a topic was deleted
   */
  void requireTopics() throws InterruptedException {
    List<String> stated = new ArrayList<>();
    for (VersionDocuments running : documents.values()) {
      running.definition().sources().forEach(source -> stated.add(source.topic()));
      stated.add(running.definition().results().topic());
    }
    topics.requireExisting(stated);
  }

  /** Removes the internal topics of versions that have ended for long. Call it now and then. */
  void removeEnded(ProgramVersions now) throws InterruptedException {
    List<String> removed = ended.remove(now);
    if (!removed.isEmpty()) {
      LOG.info("Removed the topics of versions of '{}' that have ended: {}", program, removed);
    }
  }

  private void stopOthers(List<ProgramVersions.Version> wanted, ProgramVersions now) {
    for (VersionDocuments running : List.copyOf(documents.values())) {
      int number = running.version();
      boolean kept = wanted.stream().anyMatch(version -> version.number() == number);
      if (!kept) {
        documents.remove(number);
        ended.ran(number, running.application().topics().internal());
        running.stop(now.current().number() == number);
        LOG.info(
            "Version {} of '{}' {}",
            number,
            program,
            now.current().number() == number ? "stops for the next one" : "has ended");
      }
    }
  }

  private void start(ProgramVersions.Version version, Program definition)
      throws InterruptedException {
    boolean same = ProgramShape.same(version.program(), definition);
    Program effective = same ? definition : version.program();
    VersionDocuments running = documents.get(version.number());
    if (running != null && (!running.runs(effective) || running.isOutgrown())) {
      documents.remove(version.number());
      running.close();
      running = null;
    }
    if (running == null) {
      ProgramPlans own =
          plans.ofVersion(
              effective, other -> ProgramShape.same(version.program(), other), version.epoch());
      try {
        if (own.state().active() != null) {
          if (same) {
            topics.create(definition);
          }
          ProgramVersions.Version next =
              new ProgramVersions.Version(version.number(), effective, version.epoch());
          Partitions partitions = topics.ofVersion(next);
          kafka.groups().requireOffsets(next);
          documents.put(next.number(), services.startDocuments(next, own, partitions));
        }
      } finally {
        if (!documents.containsKey(version.number())) {
          plans.forget(own); // It is tried again.
        }
      }
    }
  }

  /** Starts the applications that sleep, as an operator asked for. */
  void wake() {
    documents.values().forEach(running -> running.application().wake());
    if (samples != null) {
      samples.wake();
    }
  }

  /** Whether a source got partitions that its running application was not built for. */
  boolean isOutgrown() {
    return documents.values().stream().anyMatch(VersionDocuments::isOutgrown);
  }

  ProgramServices services() {
    return services;
  }

  /** The state of the version that takes new documents; null if it is not started. */
  @Nullable String documentState() {
    VersionDocuments running = current();
    return running == null ? null : running.state();
  }

  private @Nullable VersionDocuments current() {
    ProgramVersions now = versions;
    return now == null ? null : documents.get(now.current().number());
  }

  /** The versions that are not finished; the last one takes new documents. */
  List<InstanceStatus.VersionStatus> versions() {
    ProgramVersions now = versions;
    return now == null ? List.of() : VersionDocuments.statuses(now, documents, kafka.names());
  }

  /** Number of documents in the sources that are not admitted yet; null if not known. */
  @Nullable Long lag() {
    VersionDocuments running = current();
    if (running != null && running.application().isAsleep()) {
      return 0L; // A document would have woken it.
    }
    return running == null ? null : running.lag().latest();
  }

  @Override
  public void close() {
    long began = System.nanoTime();
    List<AutoCloseable> applications = new ArrayList<>(documents.values());
    applications.add(services.references()::stopEmbedding);
    if (samples != null) {
      applications.add(samples);
    }
    new SideBySide(applications).close();
    documents.clear();
    supervisor.forget(kafka.names().sampleApplication(program));
    services.closeBy(began + ReceiptTopic.LONGEST_CALL.toNanos());
  }
}
