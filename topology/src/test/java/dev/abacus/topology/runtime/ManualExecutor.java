package dev.abacus.topology.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Starts nothing by itself: the test runs what was started, in the order that it wants. */
final class ManualExecutor implements Executor {
  private final List<Runnable> started = new ArrayList<>();

  @Override
  public void execute(Runnable task) {
    started.add(task);
  }

  int started() {
    return started.size();
  }

  /** Runs one that was started, by its place among those that have not run. */
  void run(int index) {
    started.remove(index).run();
  }

  void runAny(RandomGenerator random) {
    if (!started.isEmpty()) {
      run(random.nextInt(started.size()));
    }
  }

  /** Runs all, and those that are started by that. */
  void runAll() {
    while (!started.isEmpty()) {
      run(0);
    }
  }
}
