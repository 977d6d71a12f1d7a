package dev.abacus.topology.model;

import org.jspecify.annotations.Nullable;

/**
 * Remembers answers across a crash, so that a call that was paid for is not made again when its
 * document is restored.
 */
public interface Receipts {

  /** Remembers nothing. */
  Receipts NONE =
      new Receipts() {
        @Override
        public byte @Nullable [] find(String requestHash) {
          return null;
        }

        @Override
        public void record(String requestHash, byte[] response) {}
      };

  /** The response recorded for that request, or null. */
  byte @Nullable [] find(String requestHash);

  /** Remembers the response of a request. Must not throw; forgetting costs a call, no more. */
  void record(String requestHash, byte[] response);
}
