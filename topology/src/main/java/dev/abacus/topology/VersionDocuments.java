package dev.abacus.topology;

import dev.abacus.schemas.control.InstanceStatus.VersionStatus;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.monitor.SourceLag;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Settings.Ordering;
import dev.abacus.schemas.program.Stage;
import dev.abacus.schemas.program.Stages;
import dev.abacus.topology.live.DocumentServices;
import dev.abacus.topology.live.Partitions;
import dev.abacus.topology.version.ProgramVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The application of the documents of one version of a program on this instance, and what observes
 * it.
 */
record VersionDocuments(
    int version,
    Definition definition,
    Partitions partitions,
    StreamsApplication application,
    DocumentServices services,
    SourceLag lag,
    Runnable forget)
    implements AutoCloseable {

  /** The parts of a program that its topology is built from. */
  record Definition(
      List<Program.Source> sources,
      List<Stage> stages,
      Program.Results results,
      Ordering ordering) {
    static Definition of(Program program) {
      return new Definition(
          program.sources(), Stages.of(program), program.results(), program.ordering());
    }
  }

  /** The state of each version, by the versions that run on this instance. */
  static List<VersionStatus> statuses(
      ProgramVersions now, Map<Integer, VersionDocuments> documents, KafkaNames names) {
    List<VersionStatus> all = new ArrayList<>();
    for (ProgramVersions.Ending old : now.ending()) {
      String ends =
          "%s; finishes its documents: %d of %d tasks have ended"
              .formatted(state(documents, old.version()), old.ended().size(), old.tasks());
      all.add(status(old.version(), ends, names));
    }
    all.add(
        status(
            now.current(),
            now.stopping()
                ? "stops; the next version starts when it has stopped on all workers"
                : state(documents, now.current()),
            names));
    return all;
  }

  private static String state(
      Map<Integer, VersionDocuments> documents, ProgramVersions.Version version) {
    VersionDocuments running = documents.get(version.number());
    return running == null ? "STARTING" : running.state();
  }

  private static VersionStatus status(
      ProgramVersions.Version version, String state, KafkaNames names) {
    return new VersionStatus(version.number(), version.application(names), state);
  }

  /** Whether the topology is that of a program. */
  boolean runs(Program program) {
    return definition.equals(Definition.of(program));
  }

  /**
   * Whether a source has more partitions than the topology was built for, as {@link #lag} saw last.
   */
  boolean isOutgrown() {
    Map<String, Integer> now = lag.partitions();
    return partitions.ofSources().entrySet().stream()
        .anyMatch(source -> now.getOrDefault(source.getKey().topic(), 0) > source.getValue());
  }

  String state() {
    return application.state();
  }

  /**
   * Leaves the group, a static member too.
   *
   * @param resumed whether the application runs again later
   */
  void stop(boolean resumed) {
    if (resumed) {
      application.closeForAll();
    } else {
      application.closeForGood();
    }
    forgetAll();
  }

  @Override
  public void close() {
    application.close();
    forgetAll();
  }

  private void forgetAll() {
    services.close();
    forget.run();
  }
}
