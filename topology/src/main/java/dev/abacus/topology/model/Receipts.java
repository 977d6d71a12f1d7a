package dev.abacus.topology.model;

import org.jspecify.annotations.Nullable;

/**
 * A durable log of answers by {@linkplain RequestHash request hash}. It survives a crash, so that a
 * restored document does not repeat calls that were already paid.
 */
public interface Receipts {

  /** Records nothing. */
  Receipts NONE =
      new Receipts() {
        @Override
        public byte @Nullable [] find(String requestHash) {
          return null;
        }

        @Override
        public void record(String requestHash, byte[] receipt) {}
      };

  /** The receipt of a request; null if none is known. Then the caller makes the call. */
  byte @Nullable [] find(String requestHash) throws InterruptedException;

  /** Records the receipt of a request. Must not throw: a lost receipt costs one repeated call. */
  void record(String requestHash, byte[] receipt);

  /** Hears of an answer that was found, so that no call is made. */
  default void answered(ModelAnswer.Success answer) {}

  /** States that the call ended without an answer. */
  default void giveUp(String requestHash) {}
}
