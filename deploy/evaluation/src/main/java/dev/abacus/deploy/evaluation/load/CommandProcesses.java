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
 *
 * @param folder of their logs and data
 * @param bootstrapServers of their cluster
 * @param jvmOptions options of each JVM
 */
public record CommandProcesses(Path folder, String bootstrapServers, List<String> jvmOptions) {

  public CommandProcesses {
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** The class path of this JVM: its version of the product. */
  public static String thisVersion() {
    return System.getProperty("java.class.path");
  }

  /**
   * Starts a worker; a worker with an earlier name reuses its data.
   *
   * @param name name of the instance, and of its data below the folder
   * @param classPath the jars of a version of the product
   * @param models base URL of its models
   * @param properties properties, passed with {@code -X}
   */
  public ChildJvm worker(
      String name, String classPath, URI models, Map<String, String> properties) {
    return start(
        name,
        classPath,
        List.of(
            "worker",
            "--data",
            folder.resolve(name).toString(),
            "--instance",
            name,
            "--model-endpoint",
            models.toString()),
        properties);
  }

  /** Starts an optimizer; as above. */
  public ChildJvm optimizer(String name, String classPath, Map<String, String> properties) {
    return start(name, classPath, List.of("optimizer"), properties);
  }

  private ChildJvm start(
      String name, String classPath, List<String> command, Map<String, String> properties) {
    List<String> arguments = new ArrayList<>(command);
    arguments.addAll(List.of("--bootstrap-server", bootstrapServers));
    // The benchmark broker uses PLAINTEXT; this overrides the environment variables.
    arguments.addAll(List.of("-X", "security.protocol=PLAINTEXT"));
    properties.forEach((key, value) -> arguments.addAll(List.of("-X", key + "=" + value)));
    return ChildJvm.start(name, folder, jvmOptions, classPath, Abacus.class.getName(), arguments);
  }
}
