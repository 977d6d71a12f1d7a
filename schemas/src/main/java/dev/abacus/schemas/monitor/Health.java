package dev.abacus.schemas.monitor;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.abacus.schemas.supervision.ThreadStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * The health of a process.
 *
 * @param checks one per part
 */
public record Health(List<Check> checks) {

  /** The state of a part, from best to worst. */
  public enum State {
    /** The part works. */
    UP,
    /**
     * The part works in part, for example because a model does not answer; a restart is useless.
     */
    DEGRADED,
    /** The part cannot work now, for example because Kafka is away; a restart is useless. */
    DOWN,
    /** The part does not work again without a restart of the process. */
    FAILED
  }

  /**
   * The health of a part.
   *
   * @param detail explanation for users; empty if the part is up
   */
  public record Check(String part, State state, String detail) {}

  public Health {
    checks = List.copyOf(checks);
  }

  /** The state of the worst part; {@link State#UP} without parts. */
  @JsonProperty
  public State state() {
    State worst = State.UP;
    for (Check check : checks) {
      worst = check.state().compareTo(worst) > 0 ? check.state() : worst;
    }
    return worst;
  }

  /** Whether a restart is not needed. */
  boolean live() {
    return state() != State.FAILED;
  }

  /** Whether the process does its work, possibly with some of it waiting. */
  boolean ready() {
    return state().compareTo(State.DEGRADED) <= 0;
  }

  /** Collects checks. */
  public static final class Builder {
    private final List<Check> checks = new ArrayList<>();

    /** Adds a part that works. */
    public Builder up(String part) {
      return add(part, State.UP, "");
    }

    public Builder add(String part, State state, String detail) {
      checks.add(new Check(part, state, detail));
      return this;
    }

    /** Adds whether Kafka answers. */
    public Builder kafka(BrokerWatch watch) {
      BrokerWatch.Outage outage = watch.outage();
      return outage == null
          ? up("kafka")
          : add(
              "kafka",
              State.DOWN,
              "does not answer since %s: %s".formatted(outage.since(), outage.cause()));
    }

    /**
     * Adds a check of each thread that does not work, and one for all if they do. A thread that is
     * tried again makes the process degraded, a stalled one unready, and one that has ended makes
     * it fail.
     */
    public Builder threads(List<ThreadStatus> threads) {
      for (ThreadStatus thread : threads) {
        switch (thread.state()) {
          case RUNNING -> {
            // One check for all.
          }
          case RESTARTING -> add("thread " + thread.thread(), State.DEGRADED, thread.describe());
          case STALLED -> add("thread " + thread.thread(), State.DOWN, thread.describe());
          case FAILED -> add("thread " + thread.thread(), State.FAILED, thread.describe());
        }
      }
      return threads.stream().allMatch(ThreadStatus::works) ? up("threads") : this;
    }

    public Health build() {
      return new Health(checks);
    }
  }
}
