package dev.abacus.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Configures logs by the system properties that {@code logback.xml} reads; call it before the first
 * logger is created, so before picocli parses the options. Servers log to standard error. Other
 * commands log to {@code target/log/<command>.log} below the project, and with {@code --verbose} or
 * {@code --log-level} to standard error.
 *
 * <p>An option has precedence over the variables {@code ABACUS_LOG_LEVEL} and {@code
 * ABACUS_LOG_FORMAT}; system properties that are set already are kept.
 */
final class LogSettings {

  /** The launcher sets this property to the project's root. */
  static final String HOME = "abacus.home";

  /** How much is logged. */
  enum Level {
    ERROR("ERROR", "ERROR"),
    /** What an operator may have to act on. */
    WARN("WARN", "ERROR"),
    /** The operator's story, and warnings of Kafka. */
    INFO("INFO", "WARN"),
    /** Also details of the product, and Kafka's story. */
    DEBUG("DEBUG", "INFO"),
    /** Everything. */
    TRACE("TRACE", "DEBUG");

    private final String own;
    private final String kafka;

    Level(String own, String kafka) {
      this.own = own;
      this.kafka = kafka;
    }
  }

  /** The form of a log on standard error. */
  enum Format {
    TEXT,
    JSON
  }

  private static final String PREFIX = "abacus.log.";
  private static final String LEVEL = "--log-level";
  private static final String FORMAT = "--log-format";
  private static final List<String> VALUED = List.of(LEVEL, FORMAT);
  private static final List<String> SERVERS = List.of("worker", "optimizer");

  private LogSettings() {}

  /** Whether the command is a server: a worker or an optimizer. */
  static boolean isServer(String[] arguments) {
    return SERVERS.contains(command(Arrays.asList(arguments)));
  }

  static void configure(String[] arguments) {
    configure(Arrays.asList(arguments), System.getenv());
  }

  private static void configure(List<String> arguments, Map<String, String> environment) {
    String command = command(arguments);
    boolean server = SERVERS.contains(command);
    boolean verbose = arguments.contains("--verbose") || arguments.contains("-v");
    String level = value(arguments, LEVEL, environment.get("ABACUS_LOG_LEVEL"));
    Level chosen =
        level != null
            ? parse(Level.class, level, Level.INFO)
            : verbose
                ? server ? Level.DEBUG : Level.INFO
                : arguments.contains("-q") || arguments.contains("--quiet") || !server
                    ? Level.WARN
                    : Level.INFO;
    set("level", chosen.own);
    set("kafka", chosen.kafka);
    if (server || verbose || level != null) {
      String format = value(arguments, FORMAT, environment.get("ABACUS_LOG_FORMAT"));
      set(
          "format",
          parse(Format.class, format == null ? "text" : format, Format.TEXT)
              .name()
              .toLowerCase(Locale.ROOT));
    } else {
      toFile(command);
    }
  }

  private static String command(List<String> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      if (!arguments.get(i).startsWith("-")) {
        return arguments.get(i);
      }
      i += VALUED.contains(arguments.get(i)) ? 1 : 0;
    }
    return "abacus";
  }

  /** The value of an option in both forms, {@code --option value} and {@code --option=value}. */
  private static @Nullable String value(
      List<String> arguments, String option, @Nullable String otherwise) {
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.startsWith(option + "=")) {
        return argument.substring(option.length() + 1);
      }
      if (argument.equals(option) && i + 1 < arguments.size()) {
        return arguments.get(i + 1);
      }
    }
    return otherwise;
  }

  /** The command line itself refuses an unknown value of an option, with the known ones. */
  private static <E extends Enum<E>> E parse(Class<E> type, String text, E otherwise) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> constant.name().equalsIgnoreCase(text))
        .findFirst()
        .orElse(otherwise);
  }

  private static void toFile(String command) {
    String home = System.getProperty(HOME);
    if (home == null || !command.matches("[a-z]+")) {
      set("format", "none");
      return;
    }
    try {
      Path folder = Files.createDirectories(Path.of(home, "target", "log"));
      set("file", folder.resolve(command + ".log").toString());
      set("format", "file");
    } catch (IOException e) {
      // The installation is read-only.
      set("format", "none");
    }
  }

  private static void set(String key, String value) {
    if (System.getProperty(PREFIX + key) == null) {
      System.setProperty(PREFIX + key, value);
    }
  }
}
