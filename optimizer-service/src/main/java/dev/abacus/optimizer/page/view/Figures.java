package dev.abacus.optimizer.page.view;

import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Standing;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats amounts with their units, for views and templates. */
public final class Figures {

  /** Stands for an amount that is unknown. */
  public static final String UNKNOWN = "–";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Figures() {}

  /** With separators of thousands. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** The text, or {@link #UNKNOWN} if it is empty. */
  public static String known(String text) {
    return text.isEmpty() ? UNKNOWN : text;
  }

  static String known(@Nullable Long number) {
    return number == null ? UNKNOWN : count(number);
  }

  /** Three significant digits, without an exponent. */
  static String plain(double amount) {
    BigDecimal rounded = BigDecimal.valueOf(amount).round(new MathContext(3));
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** Two decimals from 0.1 USD on, and three digits below. */
  public static String usd(double usd) {
    return usd >= 100
        ? String.format(Locale.ROOT, "$%,.0f", usd)
        : usd >= 0.1 ? String.format(Locale.ROOT, "$%.2f", usd) : "$" + plain(usd);
  }

  /** Costs are per document, and if that has too many zeros to be read, per million of them. */
  public static String amount(Dimension dimension, double amount) {
    return switch (dimension) {
      case QUALITY -> String.format(Locale.ROOT, "%.3f", amount);
      case COST ->
          amount > 0 && amount < 1e-6
              ? "$" + plain(amount * 1e6) + " per million"
              : "$" + plain(amount);
      case LATENCY -> plain(amount) + " s";
    };
  }

  /** The standing of a plan with a sign; empty without bounds. */
  public static String standing(Standing standing) {
    return standing.bounds().isEmpty() ? "" : sign(standing.verdict()) + " " + standing.word();
  }

  /** The standing of a plan with a sign, and why. */
  static String sentence(Standing standing) {
    return sign(standing.verdict()) + " " + standing.sentence();
  }

  static String sign(Standing.Verdict verdict) {
    return switch (verdict) {
      case HOLDS -> "✓";
      case NOT_SETTLED -> "○";
      case MISSES -> "✗";
    };
  }

  /** The class of a standing in the style sheet; empty without bounds. */
  public static String tone(Standing standing) {
    return standing.bounds().isEmpty() ? "" : tone(standing.verdict());
  }

  /** The class of a verdict in the style sheet. */
  static String tone(Standing.Verdict verdict) {
    return switch (verdict) {
      case HOLDS -> "good";
      case NOT_SETTLED -> "warn";
      case MISSES -> "bad";
    };
  }

  /** What a plan promises of its own choice; the estimate of another choice of its frontier. */
  public static String planned(PhysicalPlan plan, PlanChoice choice, Dimension dimension) {
    return amount(dimension, plan.range(choice, dimension).mean());
  }

  /** Cost and time of some work. */
  public static String spent(double usd, double seconds) {
    return amount(Dimension.COST, usd) + " · " + amount(Dimension.LATENCY, seconds);
  }

  /** The mean, and the interval in parentheses if it is known. */
  public static String range(Dimension dimension, Range range) {
    String mean = amount(dimension, range.mean());
    return range.low() == null || range.high() == null
        ? mean
        : mean + " " + interval(dimension, range);
  }

  /** The interval in parentheses; empty if unknown. */
  static String interval(Dimension dimension, Range range) {
    return range.low() == null || range.high() == null
        ? ""
        : "(" + amount(dimension, range.low()) + " to " + amount(dimension, range.high()) + ")";
  }

  static String perSecond(@Nullable Double rate) {
    return rate == null
        ? UNKNOWN
        : (rate < 10 ? plain(rate) : String.format(Locale.ROOT, "%,.0f", rate)) + " /s";
  }

  /** A rate per minute, without the unit. */
  static String perMinute(double rate) {
    return rate < 10 ? plain(rate) : String.format(Locale.ROOT, "%,.0f", rate);
  }

  /** The time since, in the largest unit of which there are two. */
  public static String ago(Instant at, Instant now) {
    long seconds = Math.max(0, Duration.between(at, now).toSeconds());
    return seconds < 120
        ? seconds + " s ago"
        : seconds < 7200
            ? seconds / 60 + " min ago"
            : seconds < 172_800 ? seconds / 3600 + " h ago" : seconds / 86_400 + " d ago";
  }

  /** In UTC, to the second. */
  public static String time(Instant at) {
    return TIME.format(at);
  }
}
