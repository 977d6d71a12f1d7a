package dev.abacus.deploy.evaluation.bench;

import java.time.Duration;
import java.util.List;

/**
 * Options of the throughput benchmark.
 *
 * @param contenders what to measure, in this order
 * @param load documents and calls
 * @param inFlight documents in flight
 * @param partitions partitions of the source topic
 * @param synchronousFor longest measurement of the synchronous contender
 * @param overHttp whether calls go over HTTP to the simulated endpoint in this process; otherwise a
 *     client only waits
 */
record ThroughputOptions(
    List<Contender> contenders,
    Load load,
    int inFlight,
    int partitions,
    Duration synchronousFor,
    boolean overHttp) {

  /** Part of the calls that are slow, and how many times as long they take. */
  static final double STRAGGLERS = 0.01;

  static final int STRAGGLER_FACTOR = 15;

  /**
   * Documents and calls.
   *
   * @param documents number of documents
   * @param keys keys of the documents
   * @param latency latency of each simulated model call, not below 0
   * @param stragglers whether {@link #STRAGGLERS} of the calls take {@link #STRAGGLER_FACTOR} times
   *     the latency
   */
  record Load(int documents, Keys keys, Duration latency, boolean stragglers) {

    Load {
      if (documents < 1 || latency.isNegative()) {
        throw new IllegalArgumentException("--documents must be above 0, --latency not below 0");
      }
    }

    /** The mean latency of a call in seconds. */
    double meanSeconds() {
      return latency.toNanos() / 1e9 * (stragglers ? 1 + STRAGGLERS * (STRAGGLER_FACTOR - 1) : 1);
    }
  }

  /** Keys of the documents. */
  enum Keys {
    /** Each document has a key of its own. */
    UNIQUE,
    /** 100 keys. */
    HUNDRED,
    /** Half of the documents have one key, the others keys of their own. */
    HOT,
    /** All documents have one key. */
    ONE;

    String of(int document) {
      return switch (this) {
        case UNIQUE -> "d-" + document;
        case HUNDRED -> "k-" + document % 100;
        case HOT -> document % 2 == 0 ? "hot" : "d-" + document;
        case ONE -> "k";
      };
    }
  }

  ThroughputOptions {
    if (inFlight < 1 || partitions < 1 || contenders.isEmpty()) {
      throw new IllegalArgumentException(
          "--in-flight and --partitions must be above 0, --only not empty");
    }
  }

  /** The documents per second if only the calls take time; infinite without latency. */
  double ideal() {
    return inFlight / load.meanSeconds();
  }
}
