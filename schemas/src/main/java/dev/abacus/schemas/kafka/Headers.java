package dev.abacus.schemas.kafka;

/** Names of the record headers that the product writes; values are UTF-8 text. */
public final class Headers {

  /** Name of the program. */
  public static final String PROGRAM = "abacus-program";

  /** Epoch of the plan that processed the document. */
  public static final String PLAN_EPOCH = "abacus-plan-epoch";

  /** USD spent on the document, failed attempts included. */
  public static final String COST_USD = "abacus-cost-usd";

  /** Milliseconds from admission to result. */
  public static final String LATENCY_MS = "abacus-latency-ms";

  /** The plan's estimate of its quality, in [0, 1]. */
  public static final String QUALITY_ESTIMATE = "abacus-quality-estimate";

  /** The source record, as {@code topic-partition@offset}. */
  public static final String SOURCE = "abacus-source";

  /** On outputs of an aggregate: where its window begins, in milliseconds since 1970. */
  public static final String WINDOW_START = "abacus-window-start";

  /**
   * On outputs of an aggregate: where its window ends, in milliseconds since 1970; the end itself
   * is not in the window, but of a session it is its last document.
   */
  public static final String WINDOW_END = "abacus-window-end";

  /**
   * On a source record without a value: no document with a timestamp before this one (milliseconds
   * since 1970) will come on its partition. It moves event time on and is no document.
   */
  public static final String WATERMARK = "abacus-watermark";

  /** On dead letters: id of the operator that failed. */
  public static final String OPERATOR = "abacus-operator";

  /** On dead letters: how often the failing call was tried. */
  public static final String ATTEMPTS = "abacus-attempts";

  /** Kafka Streams' own names for dead letters (KIP-1034). */
  public static final String EXCEPTION = "__streams.errors.exception";

  public static final String EXCEPTION_MESSAGE = "__streams.errors.message";
  public static final String EXCEPTION_STACKTRACE = "__streams.errors.stacktrace";
  public static final String EXCEPTION_TOPIC = "__streams.errors.topic";
  public static final String EXCEPTION_PARTITION = "__streams.errors.partition";
  public static final String EXCEPTION_OFFSET = "__streams.errors.offset";

  private Headers() {}
}
