package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.Ports;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real models are tried before anything starts, and a mistake ends the command at once. */
@Timeout(60)
class EndpointTrialTest {

  private static final String EXAMPLE = "../examples/support-triage/";

  @TempDir Path folder;

  private Run run(String endpoint) {
    return Run.of(
        "run",
        EXAMPLE + "program.yaml",
        "--local",
        "--documents",
        EXAMPLE + "documents.jsonl",
        "--results",
        folder.resolve("results.jsonl").toString(),
        "--model-endpoint",
        endpoint);
  }

  private static void assertEndsAtOnce(Run run, String reason) {
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("error: the models cannot be called: ")
        .contains(reason)
        .contains("OPENAI_API_KEY")
        .doesNotContain("started");
  }

  @Test
  void nobodyAnswers() throws Exception {
    int port = Ports.free();
    assertEndsAtOnce(run("http://127.0.0.1:" + port + "/v1"), "cannot connect to http://127.0.0.1");
  }

  @Test
  void theKeyIsRefused() throws Exception {
    SimulatorOptions options = SimulatorOptions.DEFAULTS.withApiKey("another key");
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options)) {
      assertEndsAtOnce(run(endpoint.baseUri().toString()), "status 401");
    }
  }

  @Test
  void noModelOfTheProgramIsThere() throws Exception {
    SimulatorOptions options = SimulatorOptions.DEFAULTS.withModels(Set.of("my-model"));
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options)) {
      assertEndsAtOnce(run(endpoint.baseUri().toString()), "lists 1 models without 'gpt-4o-mini'");
    }
  }
}
