package dev.abacus.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Where slf4j-simple writes; must be set before the first logger is made. Nothing comes to the
 * terminal but what commands print themselves: servers log to standard error, the others to {@code
 * target/log/<command>.log} below the project, and {@code --verbose} shows all of it.
 */
final class LogSettings {

  /** The launcher sets it to the project's root. */
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
      // It repeats itself several times a second while a broker is away; others report that, too.
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
      // A read-only installation: go without.
      set("defaultLogLevel", "off");
    }
  }

  private static void set(String key, String value) {
    if (System.getProperty(PREFIX + key) == null) {
      System.setProperty(PREFIX + key, value);
    }
  }
}
