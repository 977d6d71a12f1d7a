package dev.abacus.deploy.local;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A child JVM of the same JDK that ends with this JVM; writes its output to a file. Its temporary
 * files are in a folder of its own, which is deleted when it ends and when the next child of this
 * name starts: a JVM that is killed leaves the native libraries that it has unpacked.
 */
public final class ChildJvm implements AutoCloseable {

  private static final long POLL_MILLIS = 100;
  private static final int QUOTED_LINES = 15;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final String name;
  private final Process process;
  private final Path log;
  private final Path temporary;

  private ChildJvm(String name, Process process, Path log, Path temporary) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.temporary = temporary;
  }

  /**
   * Starts a child JVM.
   *
   * @param name name of the child, for messages and files; unique in the folder
   * @param folder folder of the log, of temporary files and of the watchdog's class
   * @param arguments arguments of the main class
   * @throws LocalServiceException if the JVM cannot be started
   */
  public static ChildJvm start(
      String name,
      Path folder,
      List<String> jvmOptions,
      String classPath,
      String mainClass,
      List<String> arguments) {
    Path log = folder.resolve(name + ".log");
    Path temporary = folder.resolve("tmp").resolve(name).toAbsolutePath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(jvmOptions);
    // Suppress the JDK's warnings about libraries on standard error.
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(watchdogClasses(folder) + File.pathSeparator + classPath);
    command.add(ParentWatchdog.class.getName());
    command.add(mainClass);
    command.addAll(arguments);
    try {
      DataFolder.delete(temporary);
      DataFolder.ownerOnly(temporary);
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new ChildJvm(name, process, log, temporary);
    } catch (IOException | UncheckedIOException e) {
      throw new LocalServiceException("Cannot start a JVM for the " + name, e);
    }
  }

  long pid() {
    return process.pid();
  }

  /**
   * Polls until the child is ready.
   *
   * @throws LocalServiceException if the child dies or is not ready in time; quotes the last lines
   *     of its output
   */
  public void awaitReady(BooleanSupplier ready, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      while (!ready.getAsBoolean()) {
        if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
          throw failure("died with exit code " + process.exitValue());
        }
        if (System.nanoTime() > deadline) {
          throw failure("was not ready within " + limit.toSeconds() + " s");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("was interrupted while starting");
    }
  }

  /**
   * Sends a signal, such as STOP or CONT, and does not wait for its effect.
   *
   * @throws LocalServiceException if the signal cannot be sent
   */
  public void signal(String signal) {
    try {
      int exit =
          new ProcessBuilder("kill", "-" + signal, String.valueOf(pid()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      if (exit != 0 && process.isAlive()) {
        throw failure("did not take the signal " + signal);
      }
    } catch (IOException e) {
      throw new LocalServiceException("Cannot send a signal to the " + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("was interrupted by a signal");
    }
  }

  /** Whether the process runs. A stopped process runs too. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** CPU time of the process so far; zero if it has ended, or if the system does not tell. */
  public Duration cpuTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /**
   * Returns the exit code; 128 plus the signal's number after a signal.
   *
   * @throws IllegalThreadStateException if the process runs
   */
  public int exitCode() {
    return process.exitValue();
  }

  /** Kills the child as kill -9 does. */
  public void kill() {
    process.destroyForcibly();
    if (awaitEnd()) {
      DataFolder.delete(temporary);
    }
  }

  @Override
  public void close() {
    process.destroy();
    if (awaitEnd()) {
      DataFolder.delete(temporary);
    } else {
      kill();
    }
  }

  private boolean awaitEnd() {
    try {
      return process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private LocalServiceException failure(String what) {
    return new LocalServiceException(
        "The %s %s. The end of its output (%s):%n%s".formatted(name, what, log, lastLines()), null);
  }

  private String lastLines() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
      return String.join(
          System.lineSeparator(),
          lines.subList(Math.max(0, lines.size() - QUOTED_LINES), lines.size()));
    } catch (IOException e) {
      return "(unreadable: " + e.getMessage() + ")";
    }
  }

  /**
   * Copies the watchdog's class alone: other classes of this JVM's class path must not shadow the
   * child's.
   */
  private static Path watchdogClasses(Path folder) {
    String file = ParentWatchdog.class.getName().replace('.', '/') + ".class";
    Path classes = folder.resolve("classes");
    Path target = classes.resolve(file);
    ClassLoader loader = Objects.requireNonNull(ParentWatchdog.class.getClassLoader());
    try (InputStream source = Objects.requireNonNull(loader.getResourceAsStream(file))) {
      Files.createDirectories(Objects.requireNonNull(target.getParent()));
      Files.write(target, source.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return classes;
  }
}
