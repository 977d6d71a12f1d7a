package dev.abacus.topology.runtime;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Divides permits among programs, and the permits of a program among its tasks: the next one goes
 * to the program with the fewest permits among those that can use one, and there to the task with
 * the fewest; of equals, to the one that has waited longest. Each step takes O(log n). Not
 * thread-safe; {@link FairScheduler} guards it.
 */
final class FairShares {

  /** What has a share of the permits. */
  abstract static class Share {

    private int permits;

    /** Number of the latest permit or, before that, of the share; unique. */
    private long latest;

    private Share(long number) {
      this.latest = number;
    }

    final int permits() {
      return permits;
    }

    final void change(int more, long number) {
      permits += more;
      latest = Math.max(latest, number);
    }
  }

  private static final Comparator<Share> NEXT =
      Comparator.<Share>comparingInt(Share::permits).thenComparingLong(share -> share.latest);

  private static final class Program extends Share {
    private final String name;
    private final TreeSet<Task> startable = new TreeSet<>(NEXT);
    private int tasks;

    private Program(String name, long number) {
      super(number);
      this.name = name;
    }

    private boolean isBusy() {
      return permits() > 0 || !startable.isEmpty();
    }
  }

  /** A task of a program. */
  abstract static class Task extends Share {
    private final Program program;

    Task(FairShares shares, String program) {
      super(++shares.numbers);
      this.program =
          shares.programs.computeIfAbsent(program, name -> new Program(name, ++shares.numbers));
      this.program.tasks++;
    }

    /** Whether the task can use a permit. */
    abstract boolean canStart();
  }

  private final int limit;
  private final Map<String, Program> programs = new HashMap<>();
  private final TreeSet<Program> startable = new TreeSet<>(NEXT);

  /** Number of programs that have permits or can use one. */
  private int busy;

  private int used;

  /** Upper bound of {@link #used}: the limit, or more after permits were taken above it. */
  private int ceiling;

  private long numbers;

  FairShares(int limit) {
    this.limit = limit;
    this.ceiling = limit;
  }

  /** Number of permits in use. */
  int used() {
    return used;
  }

  /** Gives a permit to the next task; null if none can use one, or none may. */
  @Nullable Task next() {
    Program program = startable.isEmpty() ? null : startable.first();
    if (program == null || !mayStart(program)) {
      // Permits above the limit that no program below its share wants end here.
      ceiling = Math.max(limit, used);
      return null;
    }
    return program.startable.first();
  }

  /** Above the limit, a program below its share gets the permits that are given back. */
  private boolean mayStart(Program program) {
    return used < limit || (used < ceiling && program.permits() < Math.max(1, limit / busy));
  }

  /** Counts a permit that {@link #next} gave. */
  void given(Task task) {
    change(task, 1, ++numbers);
  }

  /** Takes a permit (1), also above the limit, or gives it back (-1). */
  void count(Task task, int permits) {
    change(task, permits, 0);
  }

  /** To be called when the answer of {@link Task#canStart} may have changed. */
  void update(Task task) {
    change(task, 0, 0);
  }

  private void change(Task task, int permits, long latest) {
    Program program = task.program;
    busy -= program.isBusy() ? 1 : 0;
    startable.remove(program);
    program.startable.remove(task);
    task.change(permits, latest);
    program.change(permits, latest);
    used += permits;
    ceiling = Math.max(ceiling, used);
    if (task.canStart()) {
      program.startable.add(task);
    }
    if (!program.startable.isEmpty()) {
      startable.add(program);
    }
    busy += program.isBusy() ? 1 : 0;
  }

  /** Removes a task that cannot start any more. */
  void remove(Task task) {
    Program program = task.program;
    if (--program.tasks == 0) {
      programs.remove(program.name);
    }
  }
}
