package dev.abacus.topology.model;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the attempts to call each model, by their outcome. Thread-safe. */
public final class CallCounters implements ModelListener {

  private static final String ANSWERED = "answered";
  private static final String INTERRUPTED = "interrupted";

  /** An outcome of a model's calls. */
  public record Key(String model, String outcome) {}

  private final Map<Key, LongAdder> ended = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> running = new ConcurrentHashMap<>();

  @Override
  public void calling(String model) {
    running(model).increment();
  }

  @Override
  public void ended(String model, CallOutcome<?> outcome) {
    ModelFailure failure = outcome.failure();
    count(model, failure == null ? ANSWERED : label(failure));
    if (outcome instanceof ModelAnswer) {
      running(model).decrement();
    }
  }

  @Override
  public void interrupted(String model) {
    count(model, INTERRUPTED);
    running(model).decrement();
  }

  private LongAdder running(String model) {
    return running.computeIfAbsent(model, _ -> new LongAdder());
  }

  private void count(String model, String outcome) {
    ended.computeIfAbsent(new Key(model, outcome), _ -> new LongAdder()).increment();
  }

  /** RateLimited becomes rate_limited. */
  private static String label(ModelFailure failure) {
    return failure
        .getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
        .toLowerCase(Locale.ROOT);
  }

  /** Number of ended attempts. */
  public Map<Key, Long> ended() {
    return sums(ended);
  }

  /** Number of attempts that wait for an answer, by model. */
  public Map<String, Long> inFlight() {
    return sums(running);
  }

  private static <K> Map<K, Long> sums(Map<K, LongAdder> adders) {
    Map<K, Long> sums = new ConcurrentHashMap<>();
    adders.forEach((key, adder) -> sums.put(key, Math.max(0, adder.sum())));
    return sums;
  }
}
