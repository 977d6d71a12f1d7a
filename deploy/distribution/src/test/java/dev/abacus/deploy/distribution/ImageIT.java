package dev.abacus.deploy.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The images, built of the archives and started; skipped without a container engine. */
class ImageIT {

  private static final String BASE = "eclipse-temurin:25-jre";

  @BeforeAll
  static void needsAnEngineAndTheImageBelow() throws Exception {
    assumeTrue(docker("info") == 0, "no container engine runs");
    assumeTrue(
        docker("image", "inspect", BASE) == 0 || docker("pull", BASE) == 0,
        "the image %s is neither here nor can it be pulled".formatted(BASE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"abacus", "embedder", "simulator"})
  void anImageIsBuiltAndStarts(String target) throws Exception {
    String tag = "abacus-test-" + target;
    assertThat(
            docker("build", "--target", target, "-f", "../image/Dockerfile", "-t", tag, "target"))
        .as("build")
        .isZero();
    try {
      assertThat(docker("run", "--rm", tag, "--version")).as("start").isZero();
    } finally {
      docker("image", "rm", tag);
    }
  }

  private static int docker(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("docker"));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(Path.of(".").toFile())
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        System.err.println(output);
      }
      return code;
    } catch (IOException e) {
      // No docker command.
      return -1;
    }
  }
}
