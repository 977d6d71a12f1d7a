package dev.abacus.topology;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.supervision.SideBySide;
import dev.abacus.topology.control.ProgramPlans;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The programs that this instance runs: those that are applied, and those that are removed and have
 * not stopped yet. Other names in the control topic cost nothing here. Thread-safe.
 */
final class ProgramRunners implements AutoCloseable {

  private final Map<String, ProgramRunner> runners = new ConcurrentHashMap<>();

  /** No program starts any more; those that run are stopped. */
  private boolean closed;

  /** The plans of a program changed; starts the program if it is applied. */
  synchronized void changed(String program, ProgramPlans plans, WorkerContext worker) {
    runners.compute(
        program,
        (name, running) -> {
          ProgramRunner runner = running;
          if (runner == null && !closed && plans.state().program() != null) {
            runner = new ProgramRunner(name, plans, worker, this::stopped);
          }
          if (runner != null) {
            runner.changed();
          }
          return runner;
        });
  }

  /** An operator has resumed or defined a program again, which wakes it. */
  void resumed(String program) {
    Optional.ofNullable(runners.get(program)).ifPresent(ProgramRunner::wake);
  }

  /** The versions of a program changed. */
  void versionsChanged(String program) {
    Optional.ofNullable(runners.get(program)).ifPresent(ProgramRunner::changed);
  }

  /** Forgets a removed program, unless it was applied again meanwhile. */
  private void stopped(String program) {
    runners.computeIfPresent(
        program,
        (_, runner) -> {
          if (runner.plans().state().program() != null) {
            return runner;
          }
          runner.end();
          return null;
        });
  }

  /** Whether a program runs or stops. */
  boolean contains(String program) {
    return runners.containsKey(program);
  }

  /** The status of each program on this instance. */
  List<InstanceStatus> statuses() {
    return runners.values().stream().map(ProgramRunner::status).filter(Objects::nonNull).toList();
  }

  Collection<ProgramRunner> all() {
    return Collections.unmodifiableCollection(runners.values());
  }

  /** Stops all programs, side by side. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    new SideBySide(runners.values()).close();
  }
}
