package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.cli.Abacus;
import dev.abacus.deploy.local.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code abacus worker} and {@code abacus optimizer} in JVMs of their own, to be killed. */
final class CommandProcess {

  private static final List<String> JVM_OPTIONS =
      List.of("-Xmx300m", "-Xmn100m", "-XX:+UseSerialGC");

  private CommandProcess() {}

  /**
   * Starts a command.
   *
   * @param name of the process
   * @param folder for its log
   * @param properties as by {@code -X}
   */
  static ChildJvm start(
      String name, Path folder, List<String> command, Map<String, String> properties) {
    List<String> arguments = new ArrayList<>(command);
    // The broker of a benchmark is a plain one, whatever variables of the user say.
    arguments.addAll(List.of("-X", "security.protocol=PLAINTEXT"));
    properties.forEach((key, value) -> arguments.addAll(List.of("-X", key + "=" + value)));
    return ChildJvm.start(
        name,
        folder,
        JVM_OPTIONS,
        System.getProperty("java.class.path"),
        Abacus.class.getName(),
        arguments);
  }
}
