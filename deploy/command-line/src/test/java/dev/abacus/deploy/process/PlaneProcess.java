package dev.abacus.deploy.process;

import dev.abacus.deploy.cli.Abacus;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

/** A worker or an optimizer in a JVM of its own, which can be killed, or stopped for a while. */
public final class PlaneProcess implements AutoCloseable {

  private enum Plane {
    WORKER,
    OPTIMIZER;

    /** Runs until the JVM is killed. */
    void run(Map<String, String> properties) throws InterruptedException {
      switch (this) {
        case WORKER -> {
          try (Worker _ = Worker.start(new WorkerConfig(properties))) {
            new CountDownLatch(1).await();
          }
        }
        case OPTIMIZER -> {
          try (OptimizerService _ = OptimizerService.start(new OptimizerConfig(properties))) {
            new CountDownLatch(1).await();
          }
        }
      }
    }
  }

  private final Process process;

  private PlaneProcess(Process process) {
    this.process = process;
  }

  /** A worker, whose output is added to the log. */
  public static PlaneProcess worker(Map<String, String> properties, Path log) throws IOException {
    return start(Plane.WORKER, List.of("-Xmx300m"), properties, log);
  }

  /** An optimizer, whose output is added to the log. */
  public static PlaneProcess optimizer(Map<String, String> properties, Path log)
      throws IOException {
    return start(
        Plane.OPTIMIZER,
        List.of("-Xmx200m", "-Dabacus.log.level=INFO", "-Dabacus.log.kafka=ERROR"),
        properties,
        log);
  }

  /** A command of the command line, whose output is added to the log. */
  public static PlaneProcess command(List<String> arguments, Path log) throws IOException {
    return start(Abacus.class, List.of("-Xmx300m"), arguments, log);
  }

  private static PlaneProcess start(
      Plane plane, List<String> jvmOptions, Map<String, String> properties, Path log)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of(plane.name()));
    properties.forEach((name, value) -> arguments.add(name + "=" + value));
    return start(PlaneProcess.class, jvmOptions, arguments, log);
  }

  private static PlaneProcess start(
      Class<?> main, List<String> jvmOptions, List<String> arguments, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            // Half of the processor time of a short life is the optimizing compiler's.
            "-XX:TieredStopAtLevel=1",
            // The class path of a test may contain another log library too.
            "-Dslf4j.provider=ch.qos.logback.classic.spi.LogbackServiceProvider",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(arguments);
    return new PlaneProcess(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start());
  }

  /** As by kill -9; returns when it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** As by kill; returns its exit code when it has ended. */
  public int terminate() throws InterruptedException {
    process.destroy();
    return process.waitFor();
  }

  /** As if its machine slept, or its network were gone. */
  public void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** It goes on where it was, and does not know what happened meanwhile. */
  public void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
        .inheritIO()
        .start()
        .waitFor();
  }

  /** Its threads, but virtual ones. */
  public long threads() throws IOException, InterruptedException {
    return inspect("Thread.print").lines().filter(line -> line.startsWith("\"")).count();
  }

  /** Such as {@code 1: 65334 10295936 [B}. */
  private static final Pattern HISTOGRAM_LINE =
      Pattern.compile("^ *\\d+: +\\d+ +(\\d+) +(\\S+)", Pattern.MULTILINE);

  /** What is reachable in its heap. */
  public long heapBytes() throws IOException, InterruptedException {
    return HISTOGRAM_LINE
        .matcher(inspect("GC.class_histogram"))
        .results()
        .filter(line -> !line.group(2).contains("Filler")) // Gaps that the collector has left.
        .mapToLong(line -> Long.parseLong(line.group(1)))
        .sum();
  }

  private String inspect(String command) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(process.pid()),
                command)
            .redirectErrorStream(true)
            .start();
    String output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (jcmd.waitFor() != 0) {
      throw new IOException(output);
    }
    return output;
  }

  /** Waits; returns whether it has ended. */
  public boolean endsWithin(Duration time) throws InterruptedException {
    return process.waitFor(time);
  }

  /** Its exit code; fails if it has not ended in time. */
  public int exitCode(Duration time) throws InterruptedException {
    if (!process.waitFor(time)) {
      throw new AssertionError("the process has not ended within " + time);
    }
    return process.exitValue();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** The child: the plane, then its properties. */
  public static void main(String[] arguments) throws InterruptedException {
    Map<String, String> properties = new LinkedHashMap<>();
    for (String argument : List.of(arguments).subList(1, arguments.length)) {
      int equals = argument.indexOf('=');
      properties.put(argument.substring(0, equals), argument.substring(equals + 1));
    }
    Plane.valueOf(arguments[0]).run(properties);
  }
}
