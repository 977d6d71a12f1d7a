package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Elapsed;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The programs of which Kafka has refused a record, or whose records cannot be read because the
 * schema registry does not answer. Nothing is decided for them for a while, so that the others go
 * on.
 */
final class RefusedPrograms {

  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final Map<String, Refusal> refusals = new HashMap<>();

  private record Refusal(String cause, Duration pause, Instant at) {
    Instant until() {
      return at.plus(pause);
    }
  }

  /** Notes a refusal. Each soon after another one lasts twice as long, up to ten minutes. */
  void refused(String program, String cause, Instant now) {
    Refusal last = refusals.get(program);
    Duration pause =
        last != null && !Elapsed.isOver(last.pause().plus(LONGEST), last.at(), now)
            ? Collections.min(List.of(last.pause().multipliedBy(2), LONGEST))
            : SHORTEST;
    refusals.put(program, new Refusal(cause, pause, now));
  }

  /** Why nothing is decided for a program now; null if something is. */
  @Nullable String reason(String program, Instant now) {
    Refusal refusal = refusals.get(program);
    return refusal == null || Elapsed.isOver(refusal.pause(), refusal.at(), now)
        ? null
        : "%s; nothing is decided until %s, then it is tried again"
            .formatted(refusal.cause(), refusal.until().truncatedTo(ChronoUnit.SECONDS));
  }
}
