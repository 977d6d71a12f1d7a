package dev.abacus.deploy.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The images, built of the archives and started; skipped without a container engine. */
class ImageIT {

  private static final String BASE = "ARG JAVA_IMAGE=";
  private static final Path DOCKERFILE = Path.of("../image/Dockerfile");

  @BeforeAll
  static void needsAnEngineAndTheImageBelow() throws Exception {
    assumeTrue(docker("info") == 0, "no container engine runs");
    String base =
        Files.readAllLines(DOCKERFILE).stream()
            .filter(line -> line.startsWith(BASE))
            .map(line -> line.substring(BASE.length()))
            .findFirst()
            .orElseThrow();
    assumeTrue(
        docker("image", "inspect", base) == 0 || docker("pull", base) == 0,
        "the image %s is neither here nor can it be pulled".formatted(base));
  }

  @ParameterizedTest
  @ValueSource(strings = {"abacus", "embedder", "simulator"})
  void anImageIsBuiltAndStarts(String target) throws Exception {
    String tag = "abacus-test-" + target;
    assertThat(
            docker("build", "--target", target, "-f", DOCKERFILE.toString(), "-t", tag, "target"))
        .as("build")
        .isZero();
    try {
      assertThat(docker("run", "--rm", tag, "--version")).as("start").isZero();
    } finally {
      docker("image", "rm", tag);
    }
  }

  /** The exit code; -1 without the command. What a failure prints goes to standard error. */
  private static int docker(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("docker"));
    command.addAll(List.of(arguments));
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      System.err.println(e.getMessage());
      return -1;
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    if (code != 0) {
      System.err.println(output);
    }
    return code;
  }
}
