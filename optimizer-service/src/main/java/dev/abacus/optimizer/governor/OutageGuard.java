package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Avoids models whose calls fail for a cool-off time, which doubles with each new failure. */
final class OutageGuard {

  /**
   * A model to avoid.
   *
   * @param span length of the last cool-off
   */
  record Avoided(Instant until, Duration span) {}

  private final Map<String, Avoided> avoided;
  private final Duration coolOff;

  OutageGuard(Map<String, Avoided> avoided, Duration coolOff) {
    this.avoided = new TreeMap<>(avoided);
    this.coolOff = coolOff;
  }

  Map<String, Avoided> state() {
    return Map.copyOf(avoided);
  }

  void tick(Collection<InstanceStatus> statuses, Instant now) {
    // Healthy for four cool-offs: the next failure starts with the shortest one.
    avoided.values().removeIf(past -> past.until().plus(past.span().multipliedBy(4)).isBefore(now));
    for (InstanceStatus status : statuses) {
      for (ModelHealth model : status.models()) {
        Avoided known = avoided.get(model.model());
        // A report from before the end of the cool-off has no new information.
        if (model.open() && (known == null || status.at().isAfter(known.until()))) {
          Duration wait = known == null ? coolOff : longer(known.span());
          avoided.put(model.model(), new Avoided(now.plus(wait), wait));
        }
      }
    }
  }

  private static Duration longer(Duration wait) {
    Duration twice = wait.multipliedBy(2);
    return twice.compareTo(GovernorSettings.LONGEST_COOL_OFF) > 0
        ? GovernorSettings.LONGEST_COOL_OFF
        : twice;
  }

  /** Names of the models to avoid now. */
  Set<String> models(Instant now) {
    Set<String> models = new TreeSet<>();
    avoided.forEach((model, until) -> {
      if (until.until().isAfter(now)) {
        models.add(model);
      }
    });
    return models;
  }
}
