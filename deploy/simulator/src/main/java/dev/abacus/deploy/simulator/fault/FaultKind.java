package dev.abacus.deploy.simulator.fault;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Faults of endpoints and networks. */
public enum FaultKind {
  /** Refuses with status 429, and with {@code Retry-After} unless limits omit it. */
  RATE_LIMIT("429"),
  /** Refuses calls at the tier {@code flex} with status 429: there is no capacity for them. */
  NO_CAPACITY("capacity"),
  /** Fails with status 500. */
  SERVER_ERROR("500"),
  /** Sends half of the answer and then waits. */
  STALL("stall"),
  /** Sends half of the answer and then closes the connection. */
  CUT("cut"),
  /** Sends a body that is not JSON, with status 200. */
  MALFORMED("malformed"),
  /** Answers with an empty text. */
  EMPTY("empty"),
  /** Answers after a fixed time. */
  SLOW("slow");

  private final String key;

  FaultKind(String key) {
    this.key = key;
  }

  /** The name in fault rates. */
  public String key() {
    return key;
  }

  /** The kind with this key, or null. */
  static @Nullable FaultKind of(String key) {
    return Arrays.stream(values()).filter(kind -> kind.key.equals(key)).findFirst().orElse(null);
  }
}
