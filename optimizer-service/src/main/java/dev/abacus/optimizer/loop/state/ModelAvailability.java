package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.SampleLedger;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.Observation.Unavailable;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Shortlisting;
import dev.abacus.schemas.plan.ReducedContext;
import dev.abacus.schemas.plan.TopKSearch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The models of a program that cannot be called now, by the samples that could not be run ({@link
 * Outcome#UNAVAILABLE}) and by the reports of the workers.
 *
 * <p>A model that does not answer is tried again after {@link #PAUSES}; until then the search
 * waits, so that a short outage does not change the plan. After that the implementations that use
 * the model are left out, and the model is tried again after {@link #FIRST_ABSENCE}, which doubles
 * up to {@link #LONGEST_ABSENCE}. A model that is missing or has no key is left out at once.
 *
 * @param byModel the outages by name of the model
 * @param arms the implementations that may be chosen, by operator id
 * @param reportedOut models that a worker cannot call, also if the program does not use them
 * @param judgeModel the judge of the program; null if no example needs it
 * @param now time to which this refers
 */
public record ModelAvailability(
    SortedMap<String, Outage> byModel,
    Map<String, List<PhysicalOperator>> arms,
    Set<String> reportedOut,
    @Nullable String judgeModel,
    Instant now) {

  /** Pauses before the second and later samples with a model that does not answer. */
  private static final List<Duration> PAUSES =
      List.of(Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(60));

  private static final Duration FIRST_ABSENCE = Duration.ofMinutes(2);

  private static final Duration LONGEST_ABSENCE = Duration.ofMinutes(30);

  /** How long the search waits for a model that a worker reports as unreachable. */
  private static final Duration REPORTED_PAUSE =
      PAUSES.stream().reduce(Duration.ZERO, Duration::plus);

  /**
   * A model that does not answer.
   *
   * @param since time of the first failure, or of the first report
   * @param last time of the last failure, or of the report
   * @param pausedUntil until when the search waits for the model; null if it does not
   * @param leftOutUntil until when the model is left out; null if it is not left out, {@link
   *     Instant#MAX} if only a report of a worker ends it
   * @param reason the last failure
   * @param implementations those that failed because of the model, or whose judge it is: operator
   *     id and implementation id
   */
  public record Outage(
      String model,
      ModelState state,
      Instant since,
      Instant last,
      @Nullable Instant pausedUntil,
      @Nullable Instant leftOutUntil,
      String reason,
      Set<String> implementations) {

    private static Outage reported(ModelReport report, @Nullable Instant pausedUntil) {
      return new Outage(
          report.model(),
          report.state(),
          report.since(),
          report.since(),
          pausedUntil,
          Instant.MAX,
          report.message(),
          Set.of());
    }

    boolean isPaused(Instant now) {
      return pausedUntil != null && now.isBefore(pausedUntil);
    }

    boolean isLeftOut(Instant now) {
      return leftOutUntil != null && now.isBefore(leftOutUntil) && !isPaused(now);
    }
  }

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
   * Computes the availability.
   *
   * @param arms the implementations that may be chosen, by operator id
   * @param judge the judge of the program; null if no example needs it
   * @param ledger all samples
   * @param round the {@code reoptimize} token in force; a new round tries every model again
   * @param reports the present reports of the workers
   */
  static ModelAvailability of(
      Map<String, List<PhysicalOperator>> arms,
      @Nullable String judge,
      SampleLedger ledger,
      String round,
      Collection<ModelReport> reports) {
    SortedMap<String, Outage> outages = sampled(arms, ledger, round);
    reports.stream()
        .filter(report ->
            arms.values().stream().flatMap(List::stream).anyMatch(arm -> names(arm, report.model()))
                || (judge != null && isAt(judge, report.model())))
        .forEach(report -> add(outages, report));
    Set<String> reportedOut =
        reports.stream()
            .filter(report -> report.state() != ModelState.AVAILABLE)
            .map(ModelReport::model)
            .collect(Collectors.toSet());
    return new ModelAvailability(outages, arms, reportedOut, judge, ledger.now());
  }

  /**
   * The models that do not answer by the samples that could not be run, until a later sample with
   * the model is answered. Failures of other rounds do not count.
   */
  private static SortedMap<String, Outage> sampled(
      Map<String, List<PhysicalOperator>> arms, SampleLedger ledger, String round) {
    Map<String, Failures> failures = new TreeMap<>();
    List<DrawnSample> samples = ledger.samples().toList();
    for (DrawnSample issued : samples) {
      Observation observation = issued.observation();
      Unavailable unavailable = observation == null ? null : observation.unavailable();
      if (unavailable != null
          && isUsable(issued.task(), arms)
          && issued.stamp().round().equals(round)) {
        Failures failed = failures.computeIfAbsent(unavailable.model(), _ -> new Failures());
        failed
            .byWave
            .computeIfAbsent(issued.stamp().wave(), _ -> new ArrayList<>())
            .add(observation);
        failed.implementations.add(key(issued.task()));
      }
    }
    if (!failures.isEmpty()) {
      addAnswers(failures, samples);
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

  private static void addAnswers(Map<String, Failures> failures, List<DrawnSample> samples) {
    for (DrawnSample issued : samples) {
      Observation observation = issued.observation();
      if (observation != null && observation.outcome() != Outcome.UNAVAILABLE) {
        failures.forEach((model, failed) -> {
          if (isAnswer(issued.task(), observation, model)
              || failed.implementations.contains(key(issued.task()))) {
            failed.answered = Math.max(failed.answered, issued.stamp().wave());
          }
        });
      }
    }
  }

  private static boolean isAnswer(SampleTask task, Observation observation, String model) {
    return names(task.physical(), model)
        || (observation.scoredBy() == ScoredBy.JUDGE && isAt(task.judge(), model));
  }

  /** A report replaces what the samples say of an earlier time. */
  private static void add(SortedMap<String, Outage> outages, ModelReport report) {
    Outage known = outages.get(report.model());
    switch (report.state()) {
      case AVAILABLE -> {
        if (known != null && report.since().isAfter(known.last())) {
          outages.remove(report.model());
        }
      }
      case MISSING, NO_KEY -> outages.put(report.model(), Outage.reported(report, null));
      case UNREACHABLE ->
          outages.putIfAbsent(
              report.model(), Outage.reported(report, report.since().plus(REPORTED_PAUSE)));
    }
  }

  /** Whether an implementation calls a model, at whatever tier if the name has none. */
  private static boolean names(PhysicalOperator physical, String model) {
    return physical.chatModels().stream().anyMatch(called -> isAt(called, model))
        || model.equals(embedder(physical));
  }

  private static boolean isAt(String called, String model) {
    return called.equals(model) || ServiceTier.standard(called).equals(model);
  }

  private static @Nullable String embedder(PhysicalOperator physical) {
    return switch (physical) {
      case LearnedCascade cascade -> cascade.embedder();
      case EmbeddingJoin join -> join.embedder();
      case ReducedContext reduced -> reduced.embedder();
      case FewShot few -> few.embedder();
      case TopKSearch search -> search.embedder();
      case Shortlisting search -> search.embedder();
      case PhysicalOperator _ -> null;
    };
  }

  /** The models that do not answer, by name. */
  public List<Outage> outages() {
    return List.copyOf(byModel.values());
  }

  /** Whether the search waits for the model of an outage at present. */
  public boolean isPaused(Outage outage) {
    return outage.isPaused(now);
  }

  /** The outage of the judge; null if the judge answers or no example needs it. */
  public @Nullable Outage judge() {
    return judgeModel == null
        ? null
        : byModel.getOrDefault(judgeModel, byModel.get(ServiceTier.standard(judgeModel)));
  }

  /**
   * Whether the search cannot sample every operator: it waits for a model, or an operator has no
   * implementation whose models answer, or the judge is needed and does not answer.
   */
  public boolean isStalled() {
    return judge() != null
        || byModel.values().stream().anyMatch(this::isPaused)
        || hasOperatorWithoutModel();
  }

  /** Whether every implementation of an operator is left out. */
  public boolean hasOperatorWithoutModel() {
    return arms.entrySet().stream()
        .anyMatch(ofOperator ->
            !ofOperator.getValue().isEmpty()
                && ofOperator.getValue().stream()
                    .allMatch(arm -> isLeftOut(ofOperator.getKey(), arm)));
  }

  /** Whether an example needs the judge. */
  public boolean isJudgeNeeded() {
    return judgeModel != null;
  }

  /**
   * Whether a model that an implementation uses is left out.
   *
   * @param operator id of its operator
   */
  public boolean isLeftOut(String operator, PhysicalOperator physical) {
    return byModel.values().stream()
        .anyMatch(outage ->
            outage.isLeftOut(now)
                && (names(physical, outage.model())
                    || outage.implementations().contains(key(operator, physical))));
  }

  /** Whether an implementation cannot be used until the user changes something. */
  public boolean isUnusable(PhysicalOperator physical) {
    return byModel.values().stream()
        .anyMatch(outage -> outage.state().isPermanent() && names(physical, outage.model()));
  }

  /** Whether a model that the task needs, the judge included, is left out. */
  public boolean isLeftOut(SampleTask task) {
    return byModel.values().stream()
        .anyMatch(outage -> outage.isLeftOut(now) && needs(task, outage));
  }

  /** Whether the search waits for a model that the task needs, the judge included. */
  public boolean isPaused(SampleTask task) {
    return byModel.values().stream()
        .anyMatch(outage -> outage.isPaused(now) && needs(task, outage));
  }

  private static boolean needs(SampleTask task, Outage outage) {
    return names(task.physical(), outage.model())
        || outage.implementations().contains(key(task))
        || (task.needsJudge() && isAt(task.judge(), outage.model()));
  }

  private static String key(SampleTask task) {
    return key(task.operator().id(), task.physical());
  }

  private static String key(String operator, PhysicalOperator physical) {
    return operator + "=" + physical.id();
  }

  /** Whether a pause or an absence ends in the time after {@code before}, up to {@code after}. */
  boolean changes(Instant before, Instant after) {
    return byModel.values().stream()
        .flatMap(outage ->
            Stream.concat(
                Stream.ofNullable(outage.pausedUntil()), Stream.ofNullable(outage.leftOutUntil())))
        .anyMatch(end -> end.isAfter(before) && !end.isAfter(after));
  }
}
