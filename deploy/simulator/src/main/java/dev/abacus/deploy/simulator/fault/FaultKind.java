package dev.abacus.deploy.simulator.fault;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What can go wrong with a call, as endpoints and networks let it go wrong. */
public enum FaultKind {
  /** Refused with 429 and Retry-After. */
  RATE_LIMIT("429"),
  /** Fails with 500. */
  SERVER_ERROR("500"),
  /** Sends half of the answer, then nothing for a long time. */
  STALL("stall"),
  /** Sends half of the answer, then closes the connection. */
  CUT("cut"),
  /** Sends a body that is not JSON, with status 200. */
  MALFORMED("malformed");

  private final String key;

  FaultKind(String key) {
    this.key = key;
  }

  /** How rates name it. */
  public String key() {
    return key;
  }

  /** The kind of that key, or null. */
  static @Nullable FaultKind of(String key) {
    return Arrays.stream(values()).filter(kind -> kind.key.equals(key)).findFirst().orElse(null);
  }
}
