package dev.abacus.deploy.optimizer;

import dev.abacus.optimizer.OptimizerConfig;
import dev.abacus.optimizer.OptimizerService;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** An optimizer in a JVM of its own, which can be killed, or stopped for a while. */
final class OptimizerProcess implements AutoCloseable {

  private final Process process;

  private OptimizerProcess(Process process) {
    this.process = process;
  }

  static OptimizerProcess start(Map<String, String> properties, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx200m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
            "-Dorg.slf4j.simpleLogger.log.org.apache.kafka=error",
            "-cp",
            System.getProperty("java.class.path"),
            OptimizerProcess.class.getName()));
    properties.forEach((name, value) -> command.add(name + "=" + value));
    return new OptimizerProcess(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start());
  }

  /** kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** As if its machine slept, or its network were gone. */
  void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** It goes on where it was, and does not know what happened meanwhile. */
  void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
        .inheritIO()
        .start()
        .waitFor();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** The child: properties as arguments. */
  public static void main(String[] arguments) throws InterruptedException {
    Map<String, String> properties = new LinkedHashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      properties.put(argument.substring(0, equals), argument.substring(equals + 1));
    }
    try (OptimizerService _ = OptimizerService.start(new OptimizerConfig(properties))) {
      new CountDownLatch(1).await();
    }
  }
}
