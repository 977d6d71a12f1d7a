package dev.abacus.deploy.evaluation.load;

import dev.abacus.deploy.cli.Abacus;
import dev.abacus.deploy.local.ChildJvm;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts {@code abacus worker} and {@code abacus optimizer} in separate JVMs, which a benchmark can
 * kill.
 */
public final class CommandProcess {

  private CommandProcess() {}

  /** The class path of this JVM: its version of the product. */
  public static String thisVersion() {
    return System.getProperty("java.class.path");
  }

  /**
   * Returns the command of a worker.
   *
   * @param name name of the instance, and of its data below the folder
   * @param models base URL of its models
   */
  public static List<String> worker(String name, Path folder, String bootstrapServers, URI models) {
    return List.of(
        "worker",
        "--bootstrap-server",
        bootstrapServers,
        "--data",
        folder.resolve(name).toString(),
        "--instance",
        name,
        "--model-endpoint",
        models.toString());
  }

  /**
   * Starts a command.
   *
   * @param name name of the process
   * @param folder folder for the log file
   * @param jvmOptions options of the JVM
   * @param classPath the jars of a version of the product
   * @param command command and its arguments
   * @param properties properties, passed with {@code -X}
   */
  public static ChildJvm start(
      String name,
      Path folder,
      List<String> jvmOptions,
      String classPath,
      List<String> command,
      Map<String, String> properties) {
    List<String> arguments = new ArrayList<>(command);
    // The benchmark broker uses PLAINTEXT; this overrides the environment variables.
    arguments.addAll(List.of("-X", "security.protocol=PLAINTEXT"));
    properties.forEach((key, value) -> arguments.addAll(List.of("-X", key + "=" + value)));
    return ChildJvm.start(name, folder, jvmOptions, classPath, Abacus.class.getName(), arguments);
  }
}
