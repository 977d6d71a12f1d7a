package dev.abacus.schemas.program.io;

import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.program.Horizon;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings.Governance;
import dev.abacus.schemas.program.Spending;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads settings of a program; control records reuse objective, budget and spending. */
public final class SettingsReader {

  private static final Pattern DOCUMENTS = Pattern.compile("-?\\d[\\d_]*");
  private static final Pattern WINDOW = Pattern.compile("(\\d{1,18})\\s*([smhd])");

  private static final Set<String> OFF = Set.of("off", "false");

  /** The longest window, so that no computation with event times overflows. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private SettingsReader() {}

  /** An objective, one line of text or {@code {maximize: …, subjectTo: {…}}}; null if invalid. */
  public static @Nullable Objective objective(YamlNode node) {
    if (!node.isMapping()) {
      return node.build(() -> ObjectiveParser.parse(node.text()));
    }
    YamlNode maximize = node.optional("maximize");
    YamlNode minimize = node.optional("minimize");
    YamlNode subjectTo = node.optional("subjectTo");
    node.refuseOtherKeys();
    if ((maximize == null) == (minimize == null)) {
      node.note("write either 'maximize: quality' or 'minimize: cost' or 'minimize: latency'");
      return null;
    }
    YamlNode target = Objects.requireNonNull(maximize == null ? minimize : maximize);
    Map<String, Bound> bounds =
        YamlNode.entries(
            subjectTo,
            (label, limit) -> limit.build(() -> ObjectiveParser.bound(label, limit.text())));
    return node.build(() ->
        new Objective(
            ObjectiveParser.target(maximize == null ? "minimize" : "maximize", target.text()),
            List.copyOf(bounds.values())));
  }

  /**
   * {@code {samples: N}}, {@code {usd: X}} or {@code {tokens: N}}; null if all are absent or the
   * value is invalid.
   */
  public static @Nullable SampleBudget budget(YamlNode node) {
    YamlNode samples = node.optional("samples");
    YamlNode usd = node.optional("usd");
    YamlNode tokens = node.optional("tokens");
    if (Stream.of(samples, usd, tokens).filter(Objects::nonNull).count() > 1) {
      node.note("write one of 'samples', 'usd' and 'tokens'");
      return null;
    }
    if (tokens != null) {
      return tokens.build(tokens.whole(), SampleBudget.Tokens::new);
    }
    if (samples != null) {
      return samples.build(
          samples.whole(),
          number -> new SampleBudget.Invocations(Math.clamp(number, -1, Integer.MAX_VALUE)));
    }
    return usd == null ? null : usd.build(usd.real(), SampleBudget.Dollars::new);
  }

  /** {@code {usd: X, tokens: N, per: day}}, with one of the two or both; null if invalid. */
  public static @Nullable Spending spending(YamlNode node) {
    YamlNode usd = node.optional("usd");
    YamlNode tokens = node.optional("tokens");
    Duration per = node.required("per", SettingsReader::duration);
    node.endMapping();
    Double amount = usd == null ? null : usd.real();
    Long number = tokens == null ? null : tokens.whole();
    boolean invalid = (usd != null && amount == null) || (tokens != null && number == null);
    return invalid ? null : node.build(per, window -> new Spending(amount, number, window));
  }

  /** A length of time, or a number of documents; null if invalid. */
  static @Nullable Horizon horizon(YamlNode node) {
    return DOCUMENTS.matcher(node.text()).matches()
        ? node.build(node.whole(), documents -> new Horizon(documents))
        : node.build(duration(node), time -> new Horizon(time));
  }

  /** {@code {lag: N, canary: S, judge: S, mixture: true}}; null if invalid. */
  static @Nullable Governance governance(YamlNode node) {
    Long lag = node.optional("lag", YamlNode::whole);
    Double canary = node.optional("canary", YamlNode::real);
    Double judge = node.optional("judge", YamlNode::real);
    boolean mixture = node.bool("mixture", false);
    node.endMapping();
    return node.build(() -> new Governance(lag, canary, judge, mixture));
  }

  /**
   * {@code {audit: S, target: S, answers: off, shadow: S, review: N}} or {@code off}; null if
   * invalid. Live answers teach nothing if there is only {@code shadow} or {@code review}.
   */
  static @Nullable Learning learning(YamlNode node) {
    if (!node.isMapping() && OFF.contains(node.text())) {
      return Learning.OFF;
    }
    Double audit = node.optional("audit", YamlNode::real);
    YamlNode targetNode = node.optional("target");
    YamlNode answersNode = node.optional("answers");
    Double shadow = node.optional("shadow", SettingsReader::shadow);
    Integer review = node.optional("review", SettingsReader::review);
    node.endMapping();
    double beside = shadow == null ? 0 : shadow;
    int labels = review == null ? 0 : review;
    if ((shadow != null || review != null)
        && audit == null
        && targetNode == null
        && answersNode == null) {
      return node.build(() -> Learning.withoutAnswers(beside, labels));
    }
    Double target = targetNode == null ? null : targetNode.real();
    boolean off = answersNode != null && OFF.contains(answersNode.text());
    if (answersNode != null && !off) {
      var _ = answersNode.choice("value of 'answers'", List.of("off", "on"));
    }
    if (off && targetNode != null) {
      targetNode.note("there is no target with 'answers: off': no classifier answers");
    }
    double share = audit == null ? Learning.DEFAULT.audit() : audit;
    return node.build(() ->
        (off
                ? Learning.ofOrders(share)
                : new Learning(share, target == null ? Learning.DEFAULT.target() : target))
            .withShadow(beside)
            .withReview(labels));
  }

  /** The share that runs beside the plan; null if invalid. */
  private static @Nullable Double shadow(YamlNode node) {
    Double share = node.real();
    if (share != null && !(share > 0 && share <= Learning.MOST_SHADOW)) {
      node.note("%s beside the plan; it must be in (0, %s]".formatted(share, Learning.MOST_SHADOW));
      return null;
    }
    return share;
  }

  /** Most labels per day that are asked for; 0 for {@code off}, null if invalid. */
  private static @Nullable Integer review(YamlNode node) {
    if (OFF.contains(node.text())) {
      return 0;
    }
    Double number = node.real();
    if (number == null) {
      return null;
    }
    if (number != Math.rint(number) || number < 1 || number > Learning.MOST_REVIEWS) {
      node.note(
          "a review of %s labels per day; write a whole number in [1, %d], or off"
              .formatted(node.text(), Learning.MOST_REVIEWS));
      return null;
    }
    return number.intValue();
  }

  /** {@code minute}, {@code hour}, {@code day}, or for example {@code 12h}; null if invalid. */
  static @Nullable Duration duration(YamlNode node) {
    String text = node.text();
    Matcher matcher = WINDOW.matcher(text);
    return switch (text) {
      case "minute" -> Duration.ofMinutes(1);
      case "hour" -> Duration.ofHours(1);
      case "day" -> Duration.ofDays(1);
      default -> {
        if (matcher.matches()) {
          yield node.build(() -> {
            Duration duration = Duration.parse(iso(matcher.group(1), matcher.group(2)));
            if (duration.compareTo(LONGEST) > 0) {
              throw new IllegalArgumentException(
                  "'%s' is longer than %d days".formatted(text, LONGEST.toDays()));
            }
            return duration;
          });
        }
        node.note(
            "'" + text + "' is not a length of time; write minute, hour, day or for instance 12h");
        yield null;
      }
    };
  }

  private static String iso(String number, String unit) {
    return unit.equals("d")
        ? "P" + number + "D"
        : "PT" + number + unit.toUpperCase(java.util.Locale.ROOT);
  }
}
