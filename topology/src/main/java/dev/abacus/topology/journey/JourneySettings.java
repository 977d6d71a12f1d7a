package dev.abacus.topology.journey;

import static dev.abacus.schemas.setting.SettingTable.setting;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.DOUBLE;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import dev.abacus.schemas.setting.SettingTable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * Which journeys a worker writes.
 *
 * @param share of the documents, in (0, 1]
 * @param perMinute most journeys of a program per minute
 * @param instance name of the worker
 */
public record JourneySettings(double share, int perMinute, JourneyTexts texts, String instance) {

  public static final String SHARE = "abacus.journeys.share";
  public static final String PER_MINUTE = "abacus.journeys.per.minute";
  public static final String TEXTS = "abacus.journeys.texts";
  public static final String HIDDEN = "abacus.journeys.hidden";

  private static final ConfigDef.Validator PATTERN =
      ConfigDef.LambdaValidator.with(
          (name, value) -> {
            try {
              var _ = Pattern.compile(String.valueOf(value));
            } catch (PatternSyntaxException e) {
              throw new ConfigException(name, value, e.getDescription());
            }
          },
          () -> "a regular expression");

  /** Adds these settings to those of a worker. */
  public static SettingTable addTo(SettingTable settings) {
    return settings
        .with(
            setting(SHARE, DOUBLE, 0.0, between(0, 1)),
            "Share of the documents whose journeys are recorded for the page: prompts, answers, "
                + "cost and time of each step. With more than 0, failures of an operator are "
                + "recorded too. 0 records none.")
        .with(
            setting(PER_MINUTE, INT, 60, atLeast(1)),
            "Maximum number of journeys of a program that this instance records per minute.")
        .with(
            setting(TEXTS, BOOLEAN, true),
            "Whether journeys have texts: keys, documents, prompts, answers and reasons. If false, "
                + "they have operators, models, cost and time only.")
        .with(
            setting(HIDDEN, STRING, "", PATTERN),
            "Regular expression of Java. Its matches of up to 1,000 characters are replaced by "
                + "[hidden] in all texts of journeys. The keys of models and other secrets of the "
                + "configuration are always replaced.");
  }

  /**
   * The settings of a worker; null if it records no journeys.
   *
   * @param instance name of the worker
   */
  public static @Nullable JourneySettings of(AbstractConfig config, String instance) {
    double share = config.getDouble(SHARE);
    String hidden = config.getString(HIDDEN);
    return share == 0
        ? null
        : new JourneySettings(
            share,
            config.getInt(PER_MINUTE),
            new JourneyTexts(
                config.getBoolean(TEXTS), hidden.isEmpty() ? null : Pattern.compile(hidden)),
            instance);
  }
}
