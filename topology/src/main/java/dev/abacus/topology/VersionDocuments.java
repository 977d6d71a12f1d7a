package dev.abacus.topology;

import dev.abacus.schemas.monitor.SourceLag;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Settings.Ordering;
import dev.abacus.schemas.program.Stage;
import dev.abacus.schemas.program.Stages;
import dev.abacus.topology.live.LiveJudge;
import java.util.List;

/**
 * The application of the documents of one version of a program on this instance, and what observes
 * it.
 */
record VersionDocuments(
    int version,
    Definition definition,
    StreamsApplication application,
    LiveJudge judge,
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

  /** Whether the topology is that of a program. */
  boolean runs(Program program) {
    return definition.equals(Definition.of(program));
  }

  void pause(boolean paused) {
    if (paused) {
      application.pause();
    } else {
      application.resume();
    }
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
    judge.close();
    forget.run();
  }
}
