package dev.abacus.optimizer.api;

import dev.abacus.optimizer.sampling.prior.LearntKey;
import dev.abacus.optimizer.sampling.prior.LearntOperator;
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

  private final Map<LearntKey.Learnt, LearntOperator> byKey =
      new TreeMap<>(Comparator.comparing(LearntKey.Learnt::path));

  /** The key under which a user writes the priors of a program to the topic. */
  public static byte[] priorsKey(String program) {
    return new LearntKey.Given(program).path().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Applies one record. Ignores records that the optimizer rejects, and records about other things
   * than learned operators.
   */
  public void apply(byte[] key, byte @Nullable [] value) {
    try {
      if (LearntKey.parse(new String(key, StandardCharsets.UTF_8))
          instanceof LearntKey.Learnt learned) {
        if (value == null) {
          byKey.remove(learned);
        } else {
          byKey.put(learned, Json.read(value, LearntOperator.class));
        }
      }
    } catch (IllegalArgumentException | MalformedRecordException e) {
      // The optimizer writes the reason to the rejections topic.
    }
  }

  /** Operators of all programs except {@code program}. */
  Collection<LearntOperator> beside(String program) {
    return byKey.entrySet().stream()
        .filter(entry -> !entry.getKey().program().equals(program))
        .map(Map.Entry::getValue)
        .toList();
  }
}
