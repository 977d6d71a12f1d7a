package dev.abacus.topology.runtime;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Receipts that survive as long as the test. */
public final class InMemoryReceipts implements ReceiptLog {
  private final Map<String, byte[]> receipts = new ConcurrentHashMap<>();

  @Override
  public void write(int partition, String requestHash, byte[] response) {
    receipts.put(partition + "/" + requestHash, response);
  }

  @Override
  public void handOver(int partition, Collection<String> requestHashes) {}

  @Override
  public void giveUp(int partition, String requestHash) {}

  @Override
  public long position(int partition) {
    return BEGINNING;
  }

  @Override
  public Snapshot snapshot(int partition, long from) {
    AtomicBoolean closed = new AtomicBoolean();
    return new Snapshot() {
      @Override
      public byte @Nullable [] find(String requestHash) {
        return closed.get() ? null : receipts.get(partition + "/" + requestHash);
      }

      @Override
      public void close() {
        closed.set(true);
      }
    };
  }
}
