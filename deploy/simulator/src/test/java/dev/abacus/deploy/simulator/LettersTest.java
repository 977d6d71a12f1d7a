package dev.abacus.deploy.simulator;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Tests against an endpoint that knows the letters and has no latency. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LettersTest {

  final Letters letters = Letters.load();
  SimulatedEndpoint endpoint;
  Client client;

  @BeforeAll
  void start() throws IOException {
    endpoint =
        SimulatedEndpoint.start(
            SimulatorOptions.DEFAULTS
                .withAnswers(letters.file())
                .withSpeed(Double.POSITIVE_INFINITY));
    client = new Client(endpoint);
  }

  @AfterAll
  void stop() {
    client.close();
    endpoint.close();
  }
}
