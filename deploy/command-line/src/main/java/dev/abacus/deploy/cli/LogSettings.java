package dev.abacus.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Configures slf4j-simple; call it before the first logger is created. Servers log to standard
 * error, other commands to {@code target/log/<command>.log} below the project, and with {@code
 * --verbose} all log to standard error.
 */
final class LogSettings {

  /** The launcher sets this property to the project's root. */
  static final String HOME = "abacus.home";

  private static final String PREFIX = "org.slf4j.simpleLogger.";
  private static final List<String> SERVERS = List.of("worker", "optimizer");

  private LogSettings() {}

  static void configure(String[] arguments) {
    List<String> given = Arrays.asList(arguments);
    String command =
        given.stream().filter(argument -> !argument.startsWith("-")).findFirst().orElse("abacus");
    set("showDateTime", "true");
    set("dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
    set("showShortLogName", "true");
    if (given.contains("--verbose")) {
      set("defaultLogLevel", "info");
    } else if (SERVERS.contains(command)) {
      set("defaultLogLevel", "warn");
      // This logger repeats its message several times per second while a broker is away; other
      // loggers
      // report that too.
      set("log.org.apache.kafka.clients.NetworkClient", "error");
    } else {
      toFile(command);
    }
  }

  private static void toFile(String command) {
    String home = System.getProperty(HOME);
    if (home == null || !command.matches("[a-z]+")) {
      set("defaultLogLevel", "off");
      return;
    }
    try {
      Path folder = Files.createDirectories(Path.of(home, "target", "log"));
      set("logFile", folder.resolve(command + ".log").toString());
      set("defaultLogLevel", "warn");
    } catch (IOException e) {
      // The installation is read-only: log to standard error.
      set("defaultLogLevel", "off");
    }
  }

  private static void set(String key, String value) {
    if (System.getProperty(PREFIX + key) == null) {
      System.setProperty(PREFIX + key, value);
    }
  }
}
