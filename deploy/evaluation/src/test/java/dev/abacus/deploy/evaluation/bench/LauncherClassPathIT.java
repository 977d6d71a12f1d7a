package dev.abacus.deploy.evaluation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class path that the launcher {@code abacus} puts together, in a JVM of its own. */
class LauncherClassPathIT {

  private static final Path EVALUATION = Path.of("target");
  private static final Path COMMAND_LINE = Path.of("../command-line/target");

  @Test
  void aContenderRunsWithItsLibraries(@TempDir Path temporary) throws Exception {
    Process process = start(temporary, "--only", "parallel-consumer-by-key", "--documents", "100");
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("parallel-consumer-by-key").contains("documents per second");
  }

  @Test
  void aBenchmarkThatIsStoppedRemovesItsFolders(@TempDir Path temporary) throws Exception {
    Process process = start(temporary, "--only", "abacus", "--documents", "100000");
    try (BufferedReader output = process.inputReader()) {
      String line = output.readLine();
      while (line != null && !line.strip().equals("abacus")) {
        line = output.readLine();
      }
      assertThat(process.toHandle().destroy()).isTrue(); // the output stays open
      output.lines().forEach(_ -> {});
    }

    assertThat(process.waitFor()).isEqualTo(143);
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left).noneMatch(file -> file.getFileName().toString().startsWith("abacus-"));
    }
  }

  private static Process start(Path temporary, String... options) throws IOException {
    String path =
        String.join(
            ":",
            COMMAND_LINE.resolve("classes").toString(),
            EVALUATION.resolve("classes").toString(),
            Files.readString(COMMAND_LINE.resolve("runtime.classpath")),
            Files.readString(EVALUATION.resolve("runtime.classpath")));
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Djava.io.tmpdir=" + temporary,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                path,
                "dev.abacus.deploy.cli.Abacus",
                "bench",
                "throughput",
                "--latency",
                "1ms"));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
