package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.DocumentFlow.Documents;
import java.time.Duration;
import java.util.List;

/**
 * Options of the throughput benchmark.
 *
 * @param contenders what to measure, in this order
 * @param load documents and calls
 * @param inFlight documents in flight, of each worker
 * @param workers workers of the product, in this process
 * @param partitions partitions of the source topic
 * @param overHttp whether calls go over HTTP to the simulated endpoint in this process; otherwise a
 *     client only waits
 */
record ThroughputOptions(
    List<Contender> contenders,
    Load load,
    int inFlight,
    int workers,
    int partitions,
    boolean overHttp) {

  /** Part of the calls that are slow, and how many times as long they take. */
  static final double STRAGGLERS = 0.01;

  static final int STRAGGLER_FACTOR = 15;

  /**
   * Documents and calls.
   *
   * @param documents number of documents
   * @param bytes size of a document, approximately; a short text if 0
   * @param keys keys of the documents
   * @param latency latency of each simulated model call, not below 0
   * @param stragglers whether {@link #STRAGGLERS} of the calls take {@link #STRAGGLER_FACTOR} times
   *     the latency
   */
  record Load(int documents, int bytes, Keys keys, Duration latency, boolean stragglers) {

    Load {
      if (documents < 1 || bytes < 0 || latency.isNegative()) {
        throw new IllegalArgumentException(
            "--documents must be above 0, --document-bytes and --latency not below 0");
      }
    }

    /** Size and keys of the documents. */
    Documents kind() {
      return new Documents(bytes, keys::of);
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

    String of(long document) {
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
    if (workers < 1 || workers > partitions) {
      throw new IllegalArgumentException("--workers must be above 0 and at most --partitions");
    }
    if (workers > 1 && !contenders.equals(List.of(Contender.ABACUS))) {
      throw new IllegalArgumentException("--workers above 1 need --only abacus");
    }
  }

  /** The documents per second if only the calls take time; infinite without latency. */
  double ideal() {
    return (double) workers * inFlight / load.meanSeconds();
  }
}
