package dev.abacus.schemas.objective;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads objectives as users write them, for instance {@code minimize cost subject to quality >=
 * 0.8, latency <= 5s}. A cost bound may be stated for a number of documents, {@code cost per 1000
 * <= 2}, or as a rate at a workload, {@code cost <= 40 per day at 5000 documents per hour}.
 */
public final class ObjectiveParser {

  private static final Pattern OBJECTIVE =
      Pattern.compile("(maximi[sz]e|minimi[sz]e)\\s+(\\S+)(?:\\s+subject\\s+to\\s+(.+))?");
  private static final Pattern BOUND =
      Pattern.compile(
          "(\\w+)(?:\\s+per\\s+(\\d{1,18}))?\\s*(<=|>=|<|>|=)\\s*(\\S+)(\\s+per\\s+.+)?");
  private static final Pattern QUANTITY = Pattern.compile("\\$?([0-9.eE+-]+)\\s*(ms|s|m)?");
  private static final Pattern PER = Pattern.compile("(\\S+)\\s+per\\s+(\\d{1,18})");
  private static final Pattern RATE = Pattern.compile("(\\S+)(\\s+per\\s+[a-z].*)");

  /** {@code per day at 5000 documents per hour}. */
  private static final Pattern WORKLOAD =
      Pattern.compile(
          "\\s*per\\s+([a-z]+)(?:\\s+at\\s+(\\S+)(?:\\s+documents?)?\\s+per\\s+([a-z]+))?");

  private static final Map<String, Integer> SECONDS =
      Map.of("second", 1, "minute", 60, "hour", 3600, "day", 86_400);

  /** The time to match patterns grows with the square of the length of white space. */
  private static final int LONGEST = 1_000;

  /** Rounds a rate per document, so that its text is read back as the same number. */
  private static final MathContext DIGITS = new MathContext(12);

  private ObjectiveParser() {}

  /**
   * Reads the one-line form.
   *
   * @throws IllegalArgumentException if the text is not an objective; the message says how to
   *     correct it
   */
  public static Objective parse(String text) {
    requireShort(text);
    Matcher matcher = OBJECTIVE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not an objective; write 'maximize quality' or 'minimize cost subject to quality >= 0.8, latency <= 5s'"
              .formatted(text));
    }
    Dimension target = target(matcher.group(1), matcher.group(2));
    String bounds = matcher.group(3);
    String[] parts = bounds == null ? new String[0] : bounds.split(",\\s*|\\s+and\\s+", -1);
    return new Objective(target, Stream.of(parts).map(bound -> parseBound(bound.strip())).toList());
  }

  /** The target of {@code maximize X} or {@code minimize X}; only quality can be maximized. */
  public static Dimension target(String verb, String label) {
    Dimension target = dimension(label);
    boolean maximize = verb.startsWith("max");
    if (maximize != (target == Dimension.QUALITY)) {
      throw new IllegalArgumentException(
          "'%s %s' makes no sense; write 'maximize quality', 'minimize cost' or 'minimize latency'"
              .formatted(verb, label));
    }
    return target;
  }

  /**
   * A bound of the map form, for instance {@code cost: 0.002}, {@code cost: 2 per 1000}, {@code
   * cost: 40 per day at 5000 documents per hour}, {@code latency: 5s}.
   */
  public static Bound bound(String label, String quantity) {
    requireShort(quantity);
    Matcher rate = RATE.matcher(quantity.strip().toLowerCase(Locale.ROOT));
    if (rate.matches()) {
      return rate(dimension(label), rate.group(1), rate.group(2));
    }
    Matcher per = PER.matcher(quantity.strip());
    return per.matches()
        ? bound(dimension(label), per.group(1), per.group(2))
        : bound(dimension(label), quantity, null);
  }

  private static void requireShort(String text) {
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "a text of %d characters is too long for an objective".formatted(text.length()));
    }
  }

  private static Bound parseBound(String text) {
    Matcher matcher = BOUND.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a bound; write for instance 'cost <= 0.002' or 'latency <= 5s'"
              .formatted(text));
    }
    Dimension dimension = dimension(matcher.group(1));
    String right = dimension == Dimension.QUALITY ? ">=" : "<=";
    if (!matcher.group(3).equals(right)) {
      throw new IllegalArgumentException(
          "the bound on %s uses '%s'; bounds are inclusive, write '%s %s %s'"
              .formatted(
                  dimension.label(), matcher.group(3), dimension.label(), right, matcher.group(4)));
    }
    if (matcher.group(5) != null) {
      if (matcher.group(2) != null) {
        throw new IllegalArgumentException(
            "'%s' states the cost for a number of documents and for a time; state one"
                .formatted(text));
      }
      return rate(dimension, matcher.group(4), matcher.group(5));
    }
    return bound(dimension, matcher.group(4), matcher.group(2));
  }

  /** Converts USD per time at a workload of documents per time to USD per document. */
  private static Bound rate(Dimension dimension, String quantity, String per) {
    if (dimension != Dimension.COST) {
      throw new IllegalArgumentException(
          "only cost can be bounded per time, not " + dimension.label());
    }
    Matcher workload = WORKLOAD.matcher(per);
    if (!workload.matches() || workload.group(2) == null) {
      throw new IllegalArgumentException(
          "'%s%s': at which workload? write for instance 'cost <= 40 per day at 5000 documents per hour'; to cap what is spent whatever comes, use budget: { spending: { usd: 40, per: day } }"
              .formatted(quantity, per));
    }
    double documents = quantity(Dimension.COST, workload.group(2));
    if (!(documents > 0)) {
      throw new IllegalArgumentException(
          "a workload of %s documents; it must be above 0".formatted(workload.group(2)));
    }
    BigDecimal usd = BigDecimal.valueOf(quantity(dimension, quantity));
    BigDecimal perDocument =
        usd.multiply(BigDecimal.valueOf(seconds(workload.group(3))))
            .divide(
                BigDecimal.valueOf(documents)
                    .multiply(BigDecimal.valueOf(seconds(workload.group(1)))),
                DIGITS);
    return new Bound(dimension, perDocument.doubleValue());
  }

  private static int seconds(String unit) {
    Integer seconds = SECONDS.get(unit);
    if (seconds == null) {
      throw new IllegalArgumentException(
          "'per %s' is not a rate; there are per second, minute, hour and day".formatted(unit));
    }
    return seconds;
  }

  private static Bound bound(Dimension dimension, String quantity, @Nullable String per) {
    if (per != null && dimension != Dimension.COST) {
      throw new IllegalArgumentException(
          "only cost can be bounded per number of documents, not " + dimension.label());
    }
    double limit = quantity(dimension, quantity);
    return new Bound(dimension, per == null ? limit : limit / documents(per));
  }

  private static long documents(String per) {
    long documents = Long.parseLong(per);
    if (documents == 0) {
      throw new IllegalArgumentException(
          "'per 0' documents; write for instance 'cost per 1000 <= 2'");
    }
    return documents;
  }

  private static double quantity(Dimension dimension, String text) {
    Matcher matcher = QUANTITY.matcher(text.strip());
    try {
      if (matcher.matches() && (matcher.group(2) == null || dimension == Dimension.LATENCY)) {
        double number = new BigDecimal(matcher.group(1)).doubleValue();
        if (Double.isFinite(number)) {
          return number * secondsPer(matcher.group(2));
        }
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new IllegalArgumentException(
        "'%s' is not a %s"
            .formatted(
                text, dimension == Dimension.LATENCY ? "duration, such as 5s or 800ms" : "number"));
  }

  private static double secondsPer(@Nullable String unit) {
    return switch (unit) {
      case "ms" -> 0.001;
      case "m" -> 60;
      case null, default -> 1;
    };
  }

  private static Dimension dimension(String label) {
    Dimension dimension = Dimension.ofLabel(label);
    if (dimension == null) {
      throw new IllegalArgumentException(
          "'%s' is not a dimension; there are quality, cost and latency".formatted(label));
    }
    return dimension;
  }
}
