package dev.abacus.deploy.evaluation.flow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.SimulatedEndpoint;

/**
 * Call statistics of the simulated models.
 *
 * @param calls number of model calls
 * @param repeated calls with the same request as an earlier call
 */
record ModelStatistics(long calls, long repeated) {

  static ModelStatistics of(SimulatedEndpoint models) {
    JsonNode statistics = models.statistics();
    return new ModelStatistics(
        statistics.path("calls").asLong(), statistics.path("repeatedRequests").asLong());
  }
}
