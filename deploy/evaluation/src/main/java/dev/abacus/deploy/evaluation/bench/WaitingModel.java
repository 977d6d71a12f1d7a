package dev.abacus.deploy.evaluation.bench;

import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import java.time.Duration;

/** A simulated model that takes its time and then always says the same. */
final class WaitingModel implements ModelClient {

  private final Duration latency;
  private final ModelAnswer answer;

  WaitingModel(Duration latency, ModelAnswer answer) {
    this.latency = latency;
    this.answer = answer;
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    Thread.sleep(latency);
    return answer;
  }
}
