package dev.abacus.optimizer.api;

import dev.abacus.optimizer.sampling.prior.LearnedKey;
import dev.abacus.optimizer.sampling.prior.LearnedOperator;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the searches of a cluster have learned about implementations: a fold over the records of the
 * topic {@code abacus.learnt}.
 */
public final class LearnedOperators {

  private final Map<LearnedKey.ByOperator, LearnedOperator> byKey =
      new TreeMap<>(Comparator.comparing(LearnedKey.ByOperator::path));

  /** The key under which a user writes the priors of a program to the topic. */
  public static byte[] priorsKey(String program) {
    return new LearnedKey.Given(program).path().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Applies one record. Ignores records that the optimizer rejects, and records about other things
   * than learned operators.
   */
  public void apply(byte[] key, byte @Nullable [] value) {
    try {
      if (LearnedKey.parse(new String(key, StandardCharsets.UTF_8))
          instanceof LearnedKey.ByOperator learned) {
        LearnedOperator known = value == null ? null : Json.read(value, LearnedOperator.class);
        byKey.compute(learned, (_, _) -> known);
      }
    } catch (IllegalArgumentException | MalformedRecordException e) {
      // The optimizer writes the reason to the rejections topic.
    }
  }

  /** Operators of all programs except {@code program}. */
  Collection<LearnedOperator> beside(String program) {
    return byKey.entrySet().stream()
        .filter(entry -> !entry.getKey().program().equals(program))
        .map(Map.Entry::getValue)
        .toList();
  }
}
