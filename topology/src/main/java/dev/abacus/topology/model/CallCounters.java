package dev.abacus.topology.model;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the attempts to call each model, by their outcome. Thread-safe. */
public final class CallCounters implements ModelListener {

  private static final String ANSWERED = "answered";
  private static final String INTERRUPTED = "interrupted";

  /** An outcome of a model's calls. */
  public record Key(String model, String outcome) {}

  private final Map<Key, LongAdder> ended = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> running = new ConcurrentHashMap<>();

  @Override
  public void calling(ModelRequest request) {
    running.computeIfAbsent(request.model(), _ -> new LongAdder()).increment();
  }

  @Override
  public void answered(ModelRequest request, ModelAnswer answer) {
    ended(request.model(), answer.failure());
    finished(request);
  }

  @Override
  public void interrupted(ModelRequest request) {
    count(request.model(), INTERRUPTED);
    finished(request);
  }

  @Override
  public void embedded(String embedder, int texts, EmbeddingAnswer answer) {
    ended(embedder, answer.failure());
  }

  private void finished(ModelRequest request) {
    running.computeIfAbsent(request.model(), _ -> new LongAdder()).decrement();
  }

  private void ended(String model, @Nullable ModelFailure failure) {
    count(model, failure == null ? ANSWERED : label(failure));
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
