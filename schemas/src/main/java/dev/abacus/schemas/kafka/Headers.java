package dev.abacus.schemas.kafka;

/** Names of record headers; their values are UTF-8 text. */
public final class Headers {

  /** Name of the program. */
  public static final String PROGRAM = "abacus-program";

  /** Epoch of the plan that processed the document. */
  public static final String PLAN_EPOCH = "abacus-plan-epoch";

  /** USD spent on the document, including failed attempts. */
  public static final String COST_USD = "abacus-cost-usd";

  /**
   * Tokens spent on the document by kind, including failed attempts: {@code input=120 cached=64
   * output=9 reasoning=0 estimated=0}. Cached tokens are part of the input, reasoning tokens of the
   * output; estimated is the part of both that no endpoint reported. {@code stored=25} is added if
   * the answer store saved calls: their tokens cost nothing and are no part of the others.
   */
  public static final String TOKENS = "abacus-tokens";

  /** Milliseconds from admission to result. */
  public static final String LATENCY_MS = "abacus-latency-ms";

  /** The quality estimate of the plan, in [0, 1]. */
  public static final String QUALITY_ESTIMATE = "abacus-quality-estimate";

  /** The source record, as {@code topic-partition@offset}. */
  public static final String SOURCE = "abacus-source";

  /** On results of an aggregate: start of the window in epoch milliseconds. */
  public static final String WINDOW_START = "abacus-window-start";

  /**
   * On results of an aggregate: end of the window in epoch milliseconds, exclusive; for a session
   * the timestamp of its last document.
   */
  public static final String WINDOW_END = "abacus-window-end";

  /**
   * On a source record without a value: a watermark in epoch milliseconds. No earlier document
   * follows on the partition. The record advances event time and is not a document.
   */
  public static final String WATERMARK = "abacus-watermark";

  /** On status records: the process, which is another one after a restart. */
  public static final String PROCESS = "abacus-process";

  /** On records of the control topic: who wrote it, such as {@code ann on the page}. */
  public static final String BY = "abacus-by";

  /** On dead letters: id of the operator that failed. */
  public static final String OPERATOR = "abacus-operator";

  /** On dead letters: number of attempts of the failed call. */
  public static final String ATTEMPTS = "abacus-attempts";

  /** On shortened dead letters: bytes of the value before it was shortened. */
  public static final String ORIGINAL_SIZE = "abacus-original-size";

  /** On shortened dead letters: SHA-256 of the whole value, in hexadecimal digits. */
  public static final String ORIGINAL_SHA256 = "abacus-original-sha256";

  /** Dead letter headers of Kafka Streams (KIP-1034). */
  public static final String EXCEPTION = "__streams.errors.exception";

  public static final String EXCEPTION_MESSAGE = "__streams.errors.message";
  public static final String EXCEPTION_STACKTRACE = "__streams.errors.stacktrace";
  public static final String EXCEPTION_TOPIC = "__streams.errors.topic";
  public static final String EXCEPTION_PARTITION = "__streams.errors.partition";
  public static final String EXCEPTION_OFFSET = "__streams.errors.offset";

  /** On records of {@code abacus replay} among samples, which are none: the id of the replay. */
  public static final String REPLAY = "abacus-replay";

  /** On records of the spending topic that state what was spent; others are leases. */
  public static final String BILL = "abacus-bill";

  /** On restored control records: offset at which the value was first written. */
  public static final String RESTORED_FROM = "abacus-restored-from";

  /** On restored control records: offset of the refused record of the same key. */
  public static final String REFUSED_AT = "abacus-refused-at";

  private Headers() {}
}
