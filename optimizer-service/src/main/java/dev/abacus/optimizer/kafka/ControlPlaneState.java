package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.loop.LoopStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What other threads may see of a {@link ControlPlane} while it runs. Thread-safe.
 *
 * <p>A leader that ends no turn for {@link #LONGEST_TURN} is stuck.
 */
public final class ControlPlaneState {

  /** More than a turn with the largest search takes. */
  static final Duration LONGEST_TURN = Duration.ofMinutes(10);

  private final Map<String, LoopStatus> searches = new ConcurrentHashMap<>();
  private final Set<String> failed = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Instant turnAt;
  private volatile String problem = "";

  /** A turn as the leader ended. */
  void turned(Instant at) {
    turnAt = at;
    problem = "";
  }

  void stoodDown() {
    turnAt = null;
    searches.clear();
    failed.clear();
  }

  /** The connection was lost or could not be made, and is tried again. */
  void retries(String cause) {
    stoodDown();
    problem = cause;
  }

  void report(String program, @Nullable LoopStatus status) {
    if (status == null) {
      searches.remove(program);
    } else {
      searches.put(program, status);
    }
  }

  void failed(String program) {
    failed.add(program);
  }

  /** Whether this control plane leads. */
  public boolean leads() {
    return turnAt != null;
  }

  /** Whether a turn has taken too long. */
  public boolean isStuck(Instant now) {
    Instant last = turnAt;
    return last != null && last.plus(LONGEST_TURN).isBefore(now);
  }

  /** Why the connection is tried again; empty if it works. */
  public String problem() {
    return problem;
  }

  /** The searches of all programs, if this control plane leads. */
  public SortedMap<String, LoopStatus> searches() {
    return new TreeMap<>(searches);
  }

  /** Programs that are ignored until a restart, because their loop failed. */
  public Set<String> failedPrograms() {
    return Set.copyOf(failed);
  }
}
