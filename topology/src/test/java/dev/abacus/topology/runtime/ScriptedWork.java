package dev.abacus.topology.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Work that a test can steer; unless told otherwise, it copies the record to the results. */
final class ScriptedWork implements Work {

  static final String RESULTS = "results";
  static final String DEAD_LETTERS = "dead-letters";

  /** A piece of work. */
  interface Script {
    Completion run(Job job, JobContext context) throws InterruptedException;
  }

  final List<Job> jobs = Collections.synchronizedList(new ArrayList<>());
  final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
  final Set<Long> unready = Collections.synchronizedSet(new HashSet<>());
  Script script = (job, context) -> copied(job);
  boolean failing;
  ToLongFunction<Arrival> stamps = arrival -> 1;

  static Completion copied(Job job) {
    return result(job.arrival(), job.arrival().value());
  }

  static Completion result(Arrival arrival, byte @Nullable [] value) {
    return to(RESULTS, arrival, value);
  }

  static Completion to(String child, Arrival arrival, byte @Nullable [] value) {
    return new Completion(
        List.of(new Output(child, arrival.key(), value, arrival.headers(), arrival.timestamp())));
  }

  @Override
  public long stamp(Arrival arrival) {
    return stamps.applyAsLong(arrival);
  }

  @Override
  public boolean isMark(Arrival arrival) {
    byte[] value = arrival.value();
    return value != null && new String(value, UTF_8).startsWith("mark");
  }

  @Override
  public boolean ready(long stamp) {
    return !unready.contains(stamp);
  }

  @Override
  public Completion run(Job job, JobContext context) throws InterruptedException {
    jobs.add(job);
    return script.run(job, context);
  }

  @Override
  public Completion failed(Job job, Throwable cause) {
    failures.add(cause);
    if (failing) {
      throw new IllegalStateException("second bug");
    }
    return to(DEAD_LETTERS, job.arrival(), String.valueOf(cause.getMessage()).getBytes(UTF_8));
  }

  @Override
  public Completion rejected(Arrival arrival, String reason) {
    return to(DEAD_LETTERS, arrival, reason.getBytes(UTF_8));
  }
}
