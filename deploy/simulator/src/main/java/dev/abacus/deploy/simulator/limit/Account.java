package dev.abacus.deploy.simulator.limit;

import org.jspecify.annotations.Nullable;

/** The prepaid account of the key: calls are refused once it is empty. */
public final class Account {

  private @Nullable Double balanceUsd;
  private double spentUsd;

  /** An account with a balance in USD; null for no limit. */
  public Account(@Nullable Double balanceUsd) {
    this.balanceUsd = balanceUsd;
  }

  /** Whether a call is refused. */
  public synchronized boolean empty() {
    return balanceUsd != null && balanceUsd <= 0;
  }

  /** Books a call; the balance may become negative, because the price is known afterwards. */
  public synchronized void book(double usd) {
    spentUsd += usd;
    if (balanceUsd != null) {
      balanceUsd -= usd;
    }
  }

  /** Sets the balance; null for no limit. */
  public synchronized void setBalance(@Nullable Double usd) {
    balanceUsd = usd;
  }

  /** Adds to the balance; a negative balance is forgiven first. */
  public synchronized void topUp(double usd) {
    balanceUsd = (balanceUsd == null ? 0 : Math.max(0, balanceUsd)) + usd;
  }

  /** The balance in USD, or null for no limit. */
  public synchronized @Nullable Double balanceUsd() {
    return balanceUsd;
  }

  /** What all answered calls cost, in USD. */
  public synchronized double spentUsd() {
    return spentUsd;
  }
}
