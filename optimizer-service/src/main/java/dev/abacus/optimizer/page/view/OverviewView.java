package dev.abacus.optimizer.page.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.page.chart.IntervalBar;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.LearningReport;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.program.Spending;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The first page of a program: what it does now, beside what was promised.
 *
 * @param standing of the active plan, with why and what would settle it; empty without bounds
 * @param tone class of the standing in the style sheet
 * @param promised whether the plan promises what follows, or it is only estimated
 * @param promises by dimension; empty before the first plan
 * @param learning what live documents taught, or why they teach nothing
 */
public record OverviewView(
    List<Tile> tiles,
    String standing,
    String tone,
    boolean promised,
    List<Promise> promises,
    List<String> learning,
    Histories histories,
    OperatorGraph graph) {

  /** A figure with its name and what it consists of. */
  public record Tile(String label, String value, String detail) {}

  /**
   * A dimension of the plan.
   *
   * @param interval of the promise, in parentheses; empty if unknown
   * @param spread of the measurement, in parentheses; empty if unknown
   * @param verdict whether the bound holds, with its probability; empty without a bound
   * @param tone class of the verdict in the style sheet
   */
  public record Promise(
      String dimension,
      String promised,
      String interval,
      String measured,
      String spread,
      String bound,
      String verdict,
      String tone,
      IntervalBar bar) {}

  /** Computes the page. */
  public static OverviewView of(ProgramRecords records) {
    PhysicalPlan plan = records.activePlan();
    Objective objective = records.program().objective();
    Standing standing = plan == null ? null : plan.standing(objective);
    boolean bounded = standing != null && !standing.bounds().isEmpty();
    return new OverviewView(
        List.of(documents(records), waiting(records), spent(records), errors(records)),
        standing == null || !bounded ? "" : Figures.sentence(standing),
        standing == null ? "" : Figures.tone(standing),
        plan != null && plan.promise() != null,
        promises(records),
        LearningReport.describe(records.program(), records.search()),
        Histories.of(records),
        OperatorGraph.of(records));
  }

  private static Tile documents(ProgramRecords records) {
    long results = 0;
    long filtered = 0;
    for (InstanceStatus instance : records.instances()) {
      results += instance.results();
      filtered += instance.dropped();
    }
    return new Tile(
        "Finished",
        Figures.perSecond(records.rates().documents()),
        "%s results, %s filtered".formatted(Figures.count(results), Figures.count(filtered)));
  }

  private static Tile waiting(ProgramRecords records) {
    long pending = records.instances().stream().mapToLong(InstanceStatus::pending).sum();
    long inFlight = records.instances().stream().mapToLong(InstanceStatus::inFlight).sum();
    return new Tile(
        "Waiting",
        Figures.known(lag(records)),
        "documents in topics; %s admitted, %s in process"
            .formatted(Figures.count(pending), Figures.count(inFlight)));
  }

  /** Documents that no instance has admitted; null if unknown. */
  static @Nullable Long lag(ProgramRecords records) {
    return records.instances().stream()
        .map(InstanceStatus::lag)
        .filter(Objects::nonNull)
        .max(Long::compare)
        .orElse(null);
  }

  private static Tile spent(ProgramRecords records) {
    Spending cap = records.program().spending();
    JsonNode governor = records.governor();
    if (cap != null && governor != null) {
      double spent = governor.path("spending").path("spent").asDouble();
      long tokens = governor.path("spending").path("tokens").asLong();
      String limit =
          cap.usd() == null
              ? Figures.count(Objects.requireNonNull(cap.tokens())) + " tokens"
              : Figures.usd(cap.usd());
      return new Tile(
          "Spent in this window",
          Figures.usd(spent),
          "of %s per %s; %s tokens".formatted(limit, cap.window(), Figures.count(tokens)));
    }
    double live = records.instances().stream().mapToDouble(InstanceStatus::costUsd).sum();
    Double perHour = records.rates().usd();
    return new Tile(
        "Spent",
        Figures.usd(live),
        (perHour == null ? "" : Figures.usd(perHour) + " per hour now; ") + "no cap");
  }

  private static Tile errors(ProgramRecords records) {
    long letters = records.instances().stream().mapToLong(InstanceStatus::deadLetters).sum();
    return new Tile(
        "Dead letters",
        Figures.count(letters),
        records.deadLetters().isEmpty()
            ? "none on the topic"
            : records.deadLetters().size() == 1
                ? "one reason on the topic"
                : "%s reasons on the topic".formatted(Figures.count(records.deadLetters().size())));
  }

  private static List<Promise> promises(ProgramRecords records) {
    PhysicalPlan plan = records.activePlan();
    if (plan == null) {
      return List.of();
    }
    PromiseReport report = records.report();
    PromiseReport.Measured live = report == null ? null : report.measured();
    List<Promise> promises = new ArrayList<>();
    for (Dimension dimension : Dimension.values()) {
      Range promised = plan.range(plan.choice(), dimension);
      Range measured =
          live == null
              ? null
              : switch (dimension) {
                case QUALITY -> live.quality();
                case COST -> live.cost();
                case LATENCY -> live.latency();
              };
      promises.add(promise(plan, records.program().objective(), dimension, promised, measured));
    }
    return promises;
  }

  private static Promise promise(
      PhysicalPlan plan,
      Objective objective,
      Dimension dimension,
      Range promised,
      @Nullable Range measured) {
    Bound bound = objective.bound(dimension);
    Standing standing = plan.standing(objective);
    Standing.OfBound held =
        standing.bounds().stream()
            .filter(each -> each.dimension() == dimension)
            .findFirst()
            .orElse(null);
    return new Promise(
        dimension.label(),
        Figures.amount(dimension, promised.mean()),
        Figures.interval(dimension, promised),
        measured == null ? Figures.UNKNOWN : Figures.amount(dimension, measured.mean()),
        measured == null ? "" : Figures.interval(dimension, measured),
        bound == null ? "" : bound.toString().substring(dimension.label().length() + 1),
        held == null ? "" : Figures.sign(held.verdict()) + " " + held.word(standing.required()),
        held == null ? "" : Figures.tone(held.verdict()),
        IntervalBar.of(
            promised,
            measured == null ? null : Double.valueOf(measured.mean()),
            bound == null ? null : bound.limit()));
  }
}
