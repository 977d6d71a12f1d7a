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
    Completion run(PendingRecord record, WorkContext context) throws InterruptedException;
  }

  final List<PendingRecord> records = Collections.synchronizedList(new ArrayList<>());
  final List<Boolean> restored = Collections.synchronizedList(new ArrayList<>());
  final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
  final Set<Long> unready = Collections.synchronizedSet(new HashSet<>());
  Script script = (record, context) -> copied(record);
  boolean failing;
  ToLongFunction<InputRecord> epochs = input -> 1;

  /** The epoch of unstamped records when their work starts. */
  volatile long stamp = 1;

  static Completion copied(PendingRecord record) {
    return result(record.input(), record.input().value());
  }

  static Completion result(InputRecord input, byte @Nullable [] value) {
    return to(RESULTS, input, value);
  }

  static Completion to(String child, InputRecord input, byte @Nullable [] value) {
    return new Completion(
        List.of(new OutputRecord(child, input.key(), value, input.headers(), input.timestamp())));
  }

  @Override
  public long epoch(InputRecord input) {
    return epochs.applyAsLong(input);
  }

  @Override
  public long stamp(InputRecord input) {
    return stamp;
  }

  @Override
  public boolean isBarrier(InputRecord input) {
    byte[] value = input.value();
    return value != null && new String(value, UTF_8).startsWith("mark");
  }

  @Override
  public boolean ready(long epoch) {
    return !unready.contains(epoch);
  }

  @Override
  public Completion run(PendingRecord record, WorkContext context) throws InterruptedException {
    records.add(record);
    restored.add(context.isRestored());
    return script.run(record, context);
  }

  @Override
  public Completion failed(PendingRecord record, Throwable cause) {
    failures.add(cause);
    if (failing) {
      throw new IllegalStateException("second bug");
    }
    return to(DEAD_LETTERS, record.input(), String.valueOf(cause.getMessage()).getBytes(UTF_8));
  }

  @Override
  public Completion rejected(InputRecord input, String reason) {
    return to(DEAD_LETTERS, input, reason.getBytes(UTF_8));
  }
}
