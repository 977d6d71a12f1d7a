package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.InProcessModels.Timed;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.io.IOException;

/** Answers the calls of one operation of an endpoint: simulated models, or a script. */
@FunctionalInterface
public interface ModelService {

  /**
   * Answers a request, on many threads.
   *
   * @throws ApiException if the request is refused
   * @throws IOException ends the connection without an answer
   */
  Timed answer(ObjectNode request) throws IOException, InterruptedException;
}
