package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a plan keeps the bounds of an objective, as every command, page, metric and record says
 * it. A bound holds if it is kept with the required probability.
 *
 * @param verdict of all bounds together
 * @param probability that all bounds hold together; null if unknown, and without bounds
 * @param required probability from which a bound holds, in (0, 1)
 * @param bounds in the order of the objective
 * @param why the verdict, as a clause: that of the bound that is least likely to hold
 * @param settles what would tell whether the bounds hold, as a clause; null if they do, or if
 *     nothing is known to
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Standing(
    Verdict verdict,
    @Nullable Double probability,
    double required,
    List<OfBound> bounds,
    String why,
    @Nullable String settles) {

  /** The probability from which a bound holds if the optimizer has no other setting. */
  public static final double REQUIRED = 0.9;

  /** Below it, a bound is rather missed than kept. */
  private static final double EVEN = 0.5;

  /** The best first. */
  public enum Verdict {
    /** Kept with the required probability. */
    HOLDS("holds"),
    /** Rather kept than missed, with less than the required probability or an unknown one. */
    NOT_SETTLED("not settled"),
    /** Rather missed than kept. */
    MISSES("misses");

    private final String label;

    Verdict(String label) {
      this.label = label;
    }

    @JsonValue
    public String label() {
      return label;
    }
  }

  /**
   * One bound.
   *
   * @param bound as in objectives, such as {@code quality >= 0.8}
   * @param probability null if unknown
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record OfBound(
      Dimension dimension, String bound, Verdict verdict, @Nullable Double probability) {

    /** The verdict with its probability. */
    public String word(double required) {
      return Standing.word(verdict, probability, required);
    }
  }

  public Standing {
    bounds = List.copyOf(bounds);
  }

  /**
   * The standing of a plan by its estimate.
   *
   * @param spread null if it is not known how sure the estimate is; then no bound holds for certain
   */
  public static Standing of(
      Objective objective, Estimate estimate, @Nullable Spread spread, double required) {
    return of(
        objective,
        estimate,
        required,
        bound -> spread == null ? null : spread.probability(estimate, bound),
        spread == null ? null : Double.valueOf(spread.probability(estimate, objective.bounds())),
        spread == null ? null : settling(objective, estimate, spread, required));
  }

  /**
   * The standing with these probabilities.
   *
   * @param together that all bounds hold; counts with two bounds or more
   */
  static Standing of(
      Objective objective,
      Estimate estimate,
      double required,
      Function<Bound, @Nullable Double> probabilities,
      @Nullable Double together,
      @Nullable String settles) {
    if (objective.bounds().isEmpty()) {
      return new Standing(Verdict.HOLDS, null, required, List.of(), "there is no bound", null);
    }
    List<OfBound> bounds = new ArrayList<>();
    for (Bound bound : objective.bounds()) {
      Double probability = probabilities.apply(bound);
      bounds.add(
          new OfBound(
              bound.dimension(),
              bound.toString(),
              verdict(probability, required, bound.holds(estimate.get(bound.dimension()))),
              probability));
    }
    OfBound worst =
        bounds.stream()
            .max(
                Comparator.comparing(OfBound::verdict)
                    .thenComparing(bound -> bound.probability() == null)
                    .thenComparing(
                        OfBound::probability, Comparator.nullsLast(Comparator.reverseOrder())))
            .orElseThrow();
    boolean allKnown = bounds.stream().allMatch(bound -> bound.probability() != null);
    Double joint = !allKnown ? null : bounds.size() == 1 ? worst.probability() : together;
    if (worst.verdict() == Verdict.HOLDS && joint != null && joint < required) {
      return new Standing(
          Verdict.NOT_SETTLED,
          joint,
          required,
          bounds,
          "all bounds together hold with " + of(joint, required),
          settles);
    }
    return new Standing(
        worst.verdict(),
        joint,
        required,
        bounds,
        why(worst, required, objective, estimate),
        worst.verdict() == Verdict.HOLDS ? null : settles);
  }

  private static Verdict verdict(@Nullable Double probability, double required, boolean met) {
    if (probability == null) {
      return met ? Verdict.NOT_SETTLED : Verdict.MISSES;
    }
    return probability >= required
        ? Verdict.HOLDS
        : probability >= EVEN ? Verdict.NOT_SETTLED : Verdict.MISSES;
  }

  private static String why(
      OfBound worst, double required, Objective objective, Estimate estimate) {
    Double probability = worst.probability();
    if (probability != null) {
      return "%s holds with %s".formatted(worst.bound(), of(probability, required));
    }
    if (worst.verdict() == Verdict.NOT_SETTLED) {
      return "the estimate meets %s, and how sure it is, is not known".formatted(worst.bound());
    }
    double missed =
        objective.bounds().stream()
            .filter(bound -> bound.dimension() == worst.dimension())
            .mapToDouble(bound -> bound.violation(estimate.get(bound.dimension())))
            .max()
            .orElse(0);
    return String.format(Locale.ROOT, "the estimate misses %s by %.3g", worst.bound(), missed);
  }

  private static String of(double probability, double required) {
    return "%s, needs %s".formatted(percent(probability), percent(required));
  }

  /** {@code 56 %}, rounded down, so that a probability never looks like one that it misses. */
  public static String percent(double probability) {
    long floor = (long) Math.floor(100 * probability + 1e-9);
    return floor == 0 && probability > 0 ? "< 1 %" : probability > 0.99 ? "> 99 %" : floor + " %";
  }

  private static @Nullable String settling(
      Objective objective, Estimate estimate, Spread spread, double required) {
    Integer more = toSettle(objective, estimate, spread, required);
    return more == null ? null : settling(more, null, null, estimate.cost());
  }

  /**
   * What is missing until the bounds are known to hold, as every command, page and record says it.
   *
   * @param samples further samples of the plan
   * @param examples how many examples have to be added for them; null if there are enough
   * @param budget how many times as large the search budget has to be; null if it suffices, or if
   *     no search would draw these samples
   * @param usd cost of a sample
   */
  static String settling(
      int samples, @Nullable Integer examples, @Nullable Double budget, double usd) {
    String price = new BigDecimal(samples * usd).round(new MathContext(2)).toPlainString();
    String needs =
        Stream.of(
                examples == null ? "" : "about " + more(examples, "example"),
                budget == null
                    ? ""
                    : String.format(
                        Locale.ROOT, "a budget %.1f times as large", Math.ceil(10 * budget) / 10))
            .filter(need -> !need.isEmpty())
            .collect(Collectors.joining(" and "));
    return needs.isEmpty()
        ? "about %s of the plan ($%s) would tell".formatted(more(samples, "sample"), price)
        : "%s, for about %s of the plan ($%s), would tell"
            .formatted(needs, more(samples, "sample"), price);
  }

  private static String more(int count, String thing) {
    return "%d more %s%s".formatted(count, thing, count == 1 ? "" : "s");
  }

  /** The further samples that would settle the bound that is least likely to hold. */
  static @Nullable Integer toSettle(
      Objective objective, Estimate estimate, Spread spread, double required) {
    Integer most = null;
    for (Bound bound : objective.bounds()) {
      Double probability = spread.probability(estimate, bound);
      if (probability == null || probability >= required) {
        continue;
      }
      Integer more = spread.toSettle(estimate, bound, required);
      if (more == null) {
        return null;
      }
      most = most == null ? more : Integer.valueOf(Math.max(most, more));
    }
    return most;
  }

  /** Whether all bounds hold. */
  public boolean holds() {
    return verdict == Verdict.HOLDS;
  }

  /**
   * The verdict with its probability, for a cell of a table: {@code not settled (56 %, needs 90
   * %)}.
   */
  public String word() {
    return word(verdict, probability, required);
  }

  private static String word(Verdict verdict, @Nullable Double probability, double required) {
    return probability == null
        ? verdict.label()
        : "%s (%s)".formatted(verdict.label(), of(probability, required));
  }

  /** Why, and what would tell: {@code quality >= 0.8 holds with 56 %, needs 90 %: about 31 …}. */
  public String clause() {
    return settles == null ? why : why + ": " + settles;
  }

  /** Verdict and clause: {@code not settled (56 %, needs 90 %): quality >= 0.8: about 31 …}. */
  public String sentence() {
    return "%s: %s"
        .formatted(
            word(),
            bounds.size() == 1 && probability != null
                ? bounds.getFirst().bound() + (settles == null ? "" : ": " + settles)
                : clause());
  }
}
