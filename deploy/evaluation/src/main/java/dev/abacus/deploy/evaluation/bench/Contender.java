package dev.abacus.deploy.evaluation.bench;

import java.util.Locale;

/** What the throughput benchmark compares. All make the same calls and write the same results. */
enum Contender {
  ABACUS("exactly once, order per key"),
  PARALLEL_CONSUMER_BY_KEY("exactly once, order per key"),
  CLIENT("none: the model client without Kafka");

  private final String guarantee;

  Contender(String guarantee) {
    this.guarantee = guarantee;
  }

  String guarantee() {
    return guarantee;
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
