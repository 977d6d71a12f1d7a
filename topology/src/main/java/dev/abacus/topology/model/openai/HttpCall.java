package dev.abacus.topology.model.openai;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call through langchain4j: its time limits, and what happened below langchain4j. A scoped
 * value carries it to the transport, because langchain4j has no parameter for it. The JDK client's
 * own timeout ends with the response headers and does not cover a stalled body.
 */
final class HttpCall {

  private static final ScopedValue<HttpCall> CURRENT = ScopedValue.newInstance();

  private static final Duration DEAD_CONNECTION = Duration.ofSeconds(1);

  private final Limits limits;
  private final long start;
  private volatile long requestStart;
  private volatile boolean sent;
  private volatile boolean begun;
  private volatile @Nullable JsonNode response;

  private HttpCall(Limits limits, long start) {
    this.limits = limits;
    this.start = start;
    this.requestStart = start;
  }

  /**
   * Time limits of a call.
   *
   * @param firstByte from the start of each request until its response begins; null means no limit
   *     besides {@code whole}
   * @param whole from the start of the call until the last byte of the last response
   */
  record Limits(@Nullable Duration firstByte, Duration whole) {}

  /** A call that starts now. */
  static HttpCall start(Limits limits) {
    return new HttpCall(limits, System.nanoTime());
  }

  /** The call of this thread. */
  static HttpCall current() {
    return CURRENT.get();
  }

  /** Runs an action; requests that this thread sends within it belong to this call. */
  <T> T run(Supplier<T> action) {
    requestStart = System.nanoTime();
    sent = false;
    begun = false;
    response = null;
    return ScopedValue.where(CURRENT, this).call(action::get);
  }

  Limits limits() {
    return limits;
  }

  long remainingNanos() {
    return remaining(start, limits.whole());
  }

  long remainingToFirstByteNanos() {
    Duration firstByte = limits.firstByte();
    return firstByte == null
        ? remainingNanos()
        : Math.min(remaining(requestStart, firstByte), remainingNanos());
  }

  private static long remaining(long since, Duration limit) {
    return Math.max(0, since + limit.toNanos() - System.nanoTime());
  }

  void sending() {
    sent = true;
  }

  void beginning() {
    begun = true;
  }

  /** Keeps a complete response; returns its body as JSON. */
  JsonNode received(byte[] body) {
    JsonNode json = RefusalBody.tree(new String(body, StandardCharsets.UTF_8));
    response = json;
    return json;
  }

  /**
   * Whether the endpoint probably charges for the last request although its response is not
   * complete: the response had begun, or the request was sent at least a second ago. A connection
   * that breaks sooner is usually one that the endpoint had closed before.
   */
  boolean isProbablyCharged() {
    return begun || (sent && System.nanoTime() - requestStart > DEAD_CONNECTION.toNanos());
  }

  /** Seconds since the start of the last request. */
  double seconds() {
    return (System.nanoTime() - requestStart) / 1e9;
  }

  /**
   * The body of the last response, of any status, as JSON; a {@link
   * com.fasterxml.jackson.databind.node.MissingNode} if it is something else, null if no response
   * is complete.
   */
  @Nullable JsonNode response() {
    return response;
  }
}
