package dev.abacus.schemas.catalogue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A tier at which a provider serves a model: the same answers at another price and speed. A model
 * at a tier is named {@code MODEL@TIER}, such as {@code gpt-5-nano@flex}, and is a model of its own
 * for plans, limits, measurements and bills; only its answers are those of the model.
 */
public enum ServiceTier {
  /** Cheaper and slower; the provider refuses calls when it has no capacity to spare. */
  FLEX,
  /** Dearer and faster. */
  PRIORITY;

  /** The tier of a model's name without one, in the settings of programs and in bills. */
  public static final String STANDARD = "standard";

  private static final char MARK = '@';

  private static final Pattern MARKS =
      Pattern.compile(
          Arrays.stream(values())
              .map(tier -> MARK + tier.text())
              .collect(Collectors.joining("|", "(?:", ")(?![\\w-])")));

  /** The value of {@code service_tier} in requests and answers. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name of a model at the tier with this text, which may be {@link #STANDARD}. */
  static String at(String model, String text) {
    return text.equals(STANDARD) ? model : model + MARK + text;
  }

  /** The texts of all tiers, the standard one first. */
  public static List<String> all() {
    return Stream.concat(Stream.of(STANDARD), Arrays.stream(values()).map(ServiceTier::text))
        .toList();
  }

  /** The text of the tier of a model's name; {@link #STANDARD} for a name without one. */
  public static String textOf(String model) {
    ServiceTier tier = named(model);
    return tier == null ? STANDARD : tier.text();
  }

  /**
   * A text without the tiers of the models that it names. Implementations and plans whose ids are
   * equal without tiers give equal answers.
   */
  public static String withoutTiers(String text) {
    return text.indexOf(MARK) < 0 ? text : MARKS.matcher(text).replaceAll("");
  }

  /** The tier with this text; empty if there is none. */
  static Optional<ServiceTier> find(String text) {
    return Arrays.stream(values()).filter(tier -> tier.text().equals(text)).findFirst();
  }

  /** The text of the first tier that a text names; {@link #STANDARD} if it names none. */
  public static String in(String text) {
    if (text.indexOf(MARK) < 0) {
      return STANDARD;
    }
    Matcher marks = MARKS.matcher(text);
    return marks.find() ? marks.group().substring(1) : STANDARD;
  }

  /** All texts, for messages. */
  static String texts() {
    return Arrays.stream(values()).map(ServiceTier::text).collect(Collectors.joining(", "));
  }

  /** The tier of a model's name; null for a name without one. */
  public static @Nullable ServiceTier named(String model) {
    return find(model.substring(model.lastIndexOf(MARK) + 1))
        .filter(tier -> model.endsWith(MARK + tier.text()))
        .orElse(null);
  }

  /** The model of a name, without its tier. */
  public static String standard(String model) {
    return named(model) == null ? model : model.substring(0, model.lastIndexOf(MARK));
  }
}
