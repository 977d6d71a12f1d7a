package dev.abacus.topology;

import dev.abacus.schemas.monitor.SourceLag;
import dev.abacus.schemas.monitor.SourceOffsets;
import dev.abacus.topology.live.SourceRange;
import dev.abacus.topology.version.ProgramVersions;
import dev.abacus.topology.version.VersionChange;
import dev.abacus.topology.version.VersionTopic;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** The documents of one version of a program, by the versions topic as it is now. */
final class VersionRange implements SourceRange {

  private final String program;
  private final int version;
  private final VersionTopic topic;
  private final VersionChange change;
  private final SourceLag lag;
  private volatile Runnable pause = () -> {};

  VersionRange(
      String program, int version, VersionTopic topic, VersionChange change, SourceLag lag) {
    this.program = program;
    this.version = version;
    this.topic = topic;
    this.change = change;
    this.lag = lag;
  }

  /** Sets the action that pauses the application. */
  void pauseWith(Runnable action) {
    pause = action;
  }

  /** Whether this is the only version, and no change has begun. */
  boolean isAlone() {
    ProgramVersions now = topic.versions(program);
    return now != null
        && !now.stopping()
        && now.ending().isEmpty()
        && now.current().number() == version;
  }

  @Override
  public Extent read() {
    try {
      topic.refresh();
      // Another instance may have read the partition since the last status.
      lag.refresh();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
    ProgramVersions now = topic.versions(program);
    ProgramVersions.Ending ending = now == null ? null : now.ending(version);
    if (ending != null) {
      return new Extent(ending.ends(), false);
    }
    if (now == null || now.stopping() || now.current().number() != version) {
      pause.run();
      return Extent.HELD;
    }
    return Extent.OPEN;
  }

  @Override
  public void ended(int partition) {
    change.ended(version, partition);
  }

  @Override
  public @Nullable SourceOffsets offsets() {
    return lag.last();
  }
}
