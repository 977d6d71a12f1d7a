package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Workload;
import dev.abacus.optimizer.loop.LoopStatus;
import dev.abacus.optimizer.loop.event.Arrivals;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What other threads may see of a {@link ControlPlane} while it runs. Thread-safe. */
public final class ControlPlaneState {

  private final Map<String, LoopStatus> searches = new ConcurrentHashMap<>();
  private final Map<String, Workload> workloads = new ConcurrentHashMap<>();
  private final Map<String, Backlog> backlogs = new ConcurrentHashMap<>();
  private final Map<String, Arrivals> arrivals = new ConcurrentHashMap<>();
  private final Set<String> failed = ConcurrentHashMap.newKeySet();
  private volatile boolean leads;

  void led() {
    leads = true;
  }

  void stoodDown() {
    leads = false;
    searches.clear();
    workloads.clear();
    backlogs.clear();
    arrivals.clear();
    failed.clear();
  }

  void report(String program, @Nullable LoopStatus status) {
    searches.compute(program, (_, _) -> status);
  }

  void works(String program, @Nullable Workload workload) {
    workloads.compute(program, (_, _) -> workload);
    if (workload == null) {
      backlogs.remove(program);
      arrivals.remove(program);
    }
  }

  Map<String, Workload> workloads() {
    return Map.copyOf(workloads);
  }

  void counted(String program, @Nullable Backlog backlog) {
    backlogs.compute(program, (_, _) -> workloads.containsKey(program) ? backlog : null);
  }

  void arriving(String program, Arrivals counted) {
    if (workloads.containsKey(program)) {
      arrivals.put(program, counted);
    }
  }

  /** The documents that arrive for a program; null before they are counted. */
  @Nullable Arrivals arrivals(String program) {
    return arrivals.get(program);
  }

  void failed(String program) {
    failed.add(program);
  }

  /** Whether this control plane leads. */
  public boolean leads() {
    return leads;
  }

  /** The searches of all programs, if this control plane leads. */
  public SortedMap<String, LoopStatus> searches() {
    return new TreeMap<>(searches);
  }

  /** What waits for workers, by program, if this control plane leads. */
  public SortedMap<String, Backlog> backlogs() {
    return new TreeMap<>(backlogs);
  }

  /** Programs that are ignored until a restart, because their loop failed. */
  public Set<String> failedPrograms() {
    return Set.copyOf(failed);
  }
}
