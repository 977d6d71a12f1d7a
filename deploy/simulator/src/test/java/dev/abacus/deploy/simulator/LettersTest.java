package dev.abacus.deploy.simulator;

import dev.abacus.deploy.simulator.Letters.Letter;
import java.io.IOException;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Tests against an endpoint that knows the letters and has no latency. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LettersTest {

  static final String STRONG = "gpt-5";
  static final String MIDDLING = "gpt-4o-mini";
  static final String WEAK = "llama-3.1-8b";

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

  /** Mean over all letters. */
  double mean(ToDoubleFunction<Letter> measure) {
    return letters.all().stream().mapToDouble(measure).average().orElseThrow();
  }

  double categoryRight(Letter letter, RequestBuilder ask) {
    return client.answer(ask).path("category").equals(letter.truth("category")) ? 1 : 0;
  }
}
