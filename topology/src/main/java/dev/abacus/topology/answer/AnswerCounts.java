package dev.abacus.topology.answer;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests of a program for live documents, and those without a call. Thread-safe. */
public final class AnswerCounts {

  private final LongAdder requests = new LongAdder();
  private final LongAdder hits = new LongAdder();
  private final LongAdder savedTokens = new LongAdder();
  private final DoubleAdder savedUsd = new DoubleAdder();

  void requested() {
    requests.increment();
  }

  void saved(long tokens, double usd) {
    hits.increment();
    savedTokens.add(tokens);
    savedUsd.add(usd);
  }

  /** Requests, whether the store could answer them or not. */
  public long requests() {
    return requests.sum();
  }

  /** Requests that the store or a call in flight answered. */
  public long hits() {
    return hits.sum();
  }

  /** Input and output tokens of the calls that were saved. */
  public long savedTokens() {
    return savedTokens.sum();
  }

  /** USD that the saved calls had cost. */
  public double savedUsd() {
    return savedUsd.sum();
  }
}
