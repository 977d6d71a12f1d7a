package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.loop.state.ModelAvailability.Outage;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.Observation.Unavailable;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Derives from the samples which models do not answer: those of the samples that could not be run
 * ({@link Outcome#UNAVAILABLE}), until a later sample with the model is answered.
 */
final class SampledOutages {

  /** Pauses before the second and later samples with a model that does not answer. */
  static final List<Duration> PAUSES =
      List.of(Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(60));

  static final Duration FIRST_ABSENCE = Duration.ofMinutes(2);

  static final Duration LONGEST_ABSENCE = Duration.ofMinutes(30);

  private SampledOutages() {}

  /** The failures of one model, by wave. */
  private static final class Failures {
    private final TreeMap<Long, List<Observation>> byWave = new TreeMap<>();
    private final Set<String> implementations = new TreeSet<>();
    private long answered = -1;

    @Nullable Outage outage(String model) {
      if (byWave.isEmpty() || answered > byWave.lastKey()) {
        return null;
      }
      // A wave with answers and failures counts as a first failure: the search makes progress.
      List<Observation> failed = new ArrayList<>();
      byWave.tailMap(answered).values().forEach(failed::addAll);
      int tries = byWave.tailMap(answered).size();
      List<Unavailable> reports =
          failed.stream().map(one -> Objects.requireNonNull(one.unavailable())).toList();
      Instant since = reports.stream().map(Unavailable::at).min(Instant::compareTo).orElseThrow();
      Observation last =
          failed.stream()
              .max((a, b) ->
                  at(a).equals(at(b)) ? b.taskId().compareTo(a.taskId()) : at(a).compareTo(at(b)))
              .orElseThrow();
      ModelState state = Objects.requireNonNull(last.unavailable()).state();
      int absences = state.isPermanent() ? tries - 1 : tries - 1 - PAUSES.size();
      return new Outage(
          model,
          state,
          since,
          at(last),
          absences < 0 ? at(last).plus(PAUSES.get(tries - 1)) : null,
          absences < 0 ? null : at(last).plus(absence(absences)),
          String.valueOf(last.failure()),
          implementations);
    }

    private static Instant at(Observation failed) {
      return Objects.requireNonNull(failed.unavailable()).at();
    }

    private static Duration absence(int earlier) {
      Duration absence = FIRST_ABSENCE;
      for (int i = 0; i < earlier && absence.compareTo(LONGEST_ABSENCE) < 0; i++) {
        absence = absence.multipliedBy(2);
      }
      return absence.compareTo(LONGEST_ABSENCE) < 0 ? absence : LONGEST_ABSENCE;
    }
  }

  /**
   * The outages by model.
   *
   * @param arms the implementations that may be chosen, by operator id
   * @param ledger all samples
   * @param round the {@code reoptimize} token in force; failures of other rounds do not count
   */
  static SortedMap<String, Outage> of(
      Map<String, List<PhysicalOperator>> arms, SampleLedger ledger, String round) {
    Map<String, Failures> failures = new TreeMap<>();
    for (StampedTask issued : ledger.issued()) {
      Observation observation = ledger.observation(issued.task().id());
      Unavailable unavailable = observation == null ? null : observation.unavailable();
      if (unavailable != null
          && isUsable(issued.task(), arms)
          && issued.stamp().round().equals(round)) {
        Failures failed = failures.computeIfAbsent(unavailable.model(), _ -> new Failures());
        failed
            .byWave
            .computeIfAbsent(issued.stamp().wave(), _ -> new ArrayList<>())
            .add(observation);
        failed.implementations.add(ModelAvailability.key(issued.task()));
      }
    }
    if (!failures.isEmpty()) {
      addAnswers(failures, ledger);
    }
    SortedMap<String, Outage> outages = new TreeMap<>();
    failures.forEach((model, failed) -> {
      Outage outage = failed.outage(model);
      if (outage != null) {
        outages.put(model, outage);
      }
    });
    return outages;
  }

  private static boolean isUsable(SampleTask task, Map<String, List<PhysicalOperator>> arms) {
    return arms.getOrDefault(task.operator().id(), List.of()).stream()
        .anyMatch(arm -> arm.matches(task.physical()));
  }

  private static void addAnswers(Map<String, Failures> failures, SampleLedger ledger) {
    for (StampedTask issued : ledger.issued()) {
      Observation observation = ledger.observation(issued.task().id());
      if (observation != null && observation.outcome() != Outcome.UNAVAILABLE) {
        failures.forEach((model, failed) -> {
          if (isAnswer(issued.task(), observation, model)
              || failed.implementations.contains(ModelAvailability.key(issued.task()))) {
            failed.answered = Math.max(failed.answered, issued.stamp().wave());
          }
        });
      }
    }
  }

  private static boolean isAnswer(SampleTask task, Observation observation, String model) {
    return ModelAvailability.names(task.physical(), model)
        || (observation.scoredBy() == ScoredBy.JUDGE && task.judge().equals(model));
  }
}
