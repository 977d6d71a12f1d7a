package dev.abacus.topology.runtime;

import java.util.concurrent.atomic.AtomicInteger;

/** Keeps the gauge that tests ask for. */
final class CountingListener implements RuntimeListener {
  final AtomicInteger pending = new AtomicInteger();

  @Override
  public void pending(int partition, int records) {
    pending.set(records);
  }
}
