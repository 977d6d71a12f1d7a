package dev.abacus.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options of logs, and how logs follow from them. {@link #configure} sets the system properties
 * that {@code logback.xml} reads; call it before the first logger is created, so before the command
 * line is made. Servers log to standard error. Other commands log to {@code
 * target/log/<command>.log} below the project, and with {@code --verbose} or {@code --log-level} to
 * standard error.
 *
 * <p>An option has precedence over the variables {@code ABACUS_LOG_LEVEL} and {@code
 * ABACUS_LOG_FORMAT}; system properties that are set already are kept.
 */
final class LogSettings {

  /** The launcher sets this property to the project's root. */
  static final String HOME = "abacus.home";

  /** How much is logged. */
  enum Level {
    ERROR("ERROR"),
    /** What an operator may have to act on. */
    WARN("ERROR"),
    /** The operator's story, and warnings of Kafka. */
    INFO("WARN"),
    /** Also details of the product, and Kafka's story. */
    DEBUG("INFO"),
    /** Everything. */
    TRACE("DEBUG");

    private final String kafka;

    /**
     * @param kafka the level of Kafka's loggers
     */
    Level(String kafka) {
      this.kafka = kafka;
    }
  }

  /** The form of a log on standard error. */
  enum Format {
    TEXT,
    JSON
  }

  private static final String PREFIX = "abacus.log.";
  private static final List<String> SERVERS = List.of("worker", "optimizer");

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Show more logs, and stack traces of failures.")
  private boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Log warnings and errors only.")
  private boolean quiet;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      scope = ScopeType.INHERIT,
      description =
          "Log to standard error from this level: ${COMPLETION-CANDIDATES} (ABACUS_LOG_LEVEL).")
  private @Nullable Level level;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      scope = ScopeType.INHERIT,
      description = "Form of the log: ${COMPLETION-CANDIDATES} (ABACUS_LOG_FORMAT).")
  private @Nullable Format format;

  private String command = "abacus";

  /** The settings in a command line, which may have mistakes: whoever runs it refuses them. */
  static LogSettings of(String... arguments) {
    LogSettings settings = new LogSettings();
    CommandLine options =
        new CommandLine(settings)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setUnmatchedArgumentsAllowed(true);
    options.getCommandSpec().parser().collectErrors(true);
    options.parseArgs(arguments).unmatched().stream()
        .filter(word -> !word.startsWith("-"))
        .findFirst()
        .ifPresent(word -> settings.command = word);
    return settings;
  }

  /** Whether failures are shown with their stack traces. */
  boolean isVerbose() {
    return verbose;
  }

  /** Whether the command is a server: a worker or an optimizer. */
  boolean isServer() {
    return SERVERS.contains(command);
  }

  /** Sets the system properties. */
  void configure() {
    Level stated = level == null ? variable(Level.class, "ABACUS_LOG_LEVEL", Level.INFO) : level;
    Level chosen =
        stated != null
            ? stated
            : verbose
                ? isServer() ? Level.DEBUG : Level.INFO
                : quiet || !isServer() ? Level.WARN : Level.INFO;
    set("level", chosen.name());
    set("kafka", chosen.kafka);
    if (isServer() || verbose || stated != null) {
      Format form =
          format == null ? variable(Format.class, "ABACUS_LOG_FORMAT", Format.TEXT) : format;
      set("format", form == Format.JSON ? "json" : "text");
    } else {
      toFile();
    }
  }

  /**
   * The constant that an environment variable names.
   *
   * @param otherwise if it names none
   * @return null if the variable is not set
   */
  private static <E extends Enum<E>> @Nullable E variable(
      Class<E> type, String variable, E otherwise) {
    String text = System.getenv(variable);
    return text == null
        ? null
        : Arrays.stream(type.getEnumConstants())
            .filter(constant -> constant.name().equalsIgnoreCase(text))
            .findFirst()
            .orElse(otherwise);
  }

  private void toFile() {
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
