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
import java.util.stream.Collectors;

/**
 * Avoids models whose calls fail for a cool-off time, which doubles with each new failure. Part of
 * {@link GovernorState}.
 *
 * @param avoided by name of the model
 */
record OutageGuard(Map<String, Avoided> avoided) {

  /**
   * A model to avoid.
   *
   * @param span length of the last cool-off
   */
  record Avoided(Instant until, Duration span) {}

  /** With what the reports say now. */
  OutageGuard tick(Collection<InstanceStatus> statuses, Instant now, Duration coolOff) {
    Map<String, Avoided> next = new TreeMap<>(avoided);
    // Healthy for four cool-offs: the next failure starts with the shortest one.
    next.values().removeIf(past -> past.until().plus(past.span().multipliedBy(4)).isBefore(now));
    // The clock may have been set back.
    next.replaceAll((_, known) ->
        Duration.between(now, known.until()).compareTo(known.span()) > 0
            ? new Avoided(now.plus(known.span()), known.span())
            : known);
    for (InstanceStatus status : statuses) {
      for (ModelHealth model : status.models()) {
        Avoided known = next.get(model.model());
        // A report from before the end of the cool-off has no new information.
        if (model.open() && (known == null || status.at().isAfter(known.until()))) {
          Duration wait = known == null ? coolOff : longer(known.span());
          next.put(model.model(), new Avoided(now.plus(wait), wait));
        }
      }
    }
    return new OutageGuard(Map.copyOf(next));
  }

  private static Duration longer(Duration wait) {
    Duration twice = wait.multipliedBy(2);
    return twice.compareTo(GovernorSettings.LONGEST_COOL_OFF) > 0
        ? GovernorSettings.LONGEST_COOL_OFF
        : twice;
  }

  /** Names of the models to avoid now. */
  Set<String> models(Instant now) {
    return avoided.entrySet().stream()
        .filter(one -> one.getValue().until().isAfter(now))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
