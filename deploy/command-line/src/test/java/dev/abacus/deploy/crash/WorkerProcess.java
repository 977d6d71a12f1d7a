package dev.abacus.deploy.crash;

import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A worker in a JVM of its own, which can be killed. */
final class WorkerProcess implements AutoCloseable {

  private final Process process;

  private WorkerProcess(Process process) {
    this.process = process;
  }

  static WorkerProcess start(Map<String, String> properties, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx300m",
            "-XX:+UseSerialGC",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            WorkerProcess.class.getName()));
    properties.forEach((name, value) -> command.add(name + "=" + value));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new WorkerProcess(process);
  }

  /** kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
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
    try (Worker _ = Worker.start(new WorkerConfig(properties))) {
      new CountDownLatch(1).await();
    }
  }
}
