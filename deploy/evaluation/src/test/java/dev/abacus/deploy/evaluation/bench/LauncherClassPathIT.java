package dev.abacus.deploy.evaluation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The class path that the launcher {@code abacus} puts together, in a JVM of its own. */
class LauncherClassPathIT {

  private static final Path EVALUATION = Path.of("target");
  private static final Path COMMAND_LINE = Path.of("../command-line/target");

  @Test
  void aContenderRunsWithItsLibraries() throws Exception {
    String path =
        String.join(
            ":",
            COMMAND_LINE.resolve("classes").toString(),
            EVALUATION.resolve("classes").toString(),
            Files.readString(COMMAND_LINE.resolve("runtime.classpath")),
            Files.readString(EVALUATION.resolve("runtime.classpath")));
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                path,
                "dev.abacus.deploy.cli.Abacus",
                "bench",
                "throughput",
                "--only",
                "parallel-consumer-by-key",
                "--latency",
                "1ms",
                "--documents",
                "100")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("parallel-consumer-by-key").contains("documents per second");
  }
}
