package dev.abacus.deploy.evaluation.flow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.schemas.kafka.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * Call statistics of the simulated models.
 *
 * @param calls number of model calls
 * @param repeated calls with the same request as an earlier call
 */
record ModelStatistics(long calls, long repeated) {

  /**
   * Reads the statistics from the endpoint.
   *
   * @throws IOException if the endpoint does not answer or the answer is invalid
   */
  static ModelStatistics of(SimulatedEndpoint models) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(models.baseUri().resolve("/simulator/stats")).build();
      JsonNode statistics =
          Json.read(
              http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body(), JsonNode.class);
      return new ModelStatistics(
          statistics.path("calls").asLong(), statistics.path("repeatedRequests").asLong());
    } catch (dev.abacus.schemas.kafka.MalformedRecordException e) {
      throw new IOException("the simulated models' statistics cannot be read", e);
    }
  }
}
