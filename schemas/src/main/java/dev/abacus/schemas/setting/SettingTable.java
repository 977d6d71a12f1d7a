package dev.abacus.schemas.setting;

import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/**
 * Settings as a table: what a setting is, and what the documentation says of it. Kafka's {@link
 * ConfigDef} checks and converts the values.
 */
public final class SettingTable {

  /**
   * What a setting is.
   *
   * @param usual the default; null for none, {@link ConfigDef#NO_DEFAULT_VALUE} if the setting is
   *     required
   * @param valid refuses other values; null if all values of the type are valid
   */
  public record Setting(
      String name,
      ConfigDef.Type type,
      @Nullable Object usual,
      ConfigDef.@Nullable Validator valid) {}

  private final ConfigDef definition = new ConfigDef();

  /** A setting whose values are all those of the type. */
  public static Setting setting(String name, ConfigDef.Type type, @Nullable Object usual) {
    return new Setting(name, type, usual, null);
  }

  /** A setting with fewer values than its type. */
  public static Setting setting(
      String name, ConfigDef.Type type, @Nullable Object usual, ConfigDef.Validator valid) {
    return new Setting(name, type, usual, valid);
  }

  /** Adds a setting, with what {@code docs/settings.md} says of it. */
  public SettingTable with(Setting setting, String documentation) {
    definition.define(
        setting.name(),
        setting.type(),
        setting.usual(),
        setting.valid(),
        ConfigDef.Importance.MEDIUM,
        documentation);
    return this;
  }

  /** Adds settings of Kafka's own under a prefix. */
  public SettingTable embed(String prefix, ConfigDef others) {
    definition.embed(prefix, "", 0, others);
    return this;
  }

  /** The definition of all settings of the table. */
  public ConfigDef definition() {
    return definition;
  }
}
