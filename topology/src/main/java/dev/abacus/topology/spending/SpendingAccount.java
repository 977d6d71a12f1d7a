package dev.abacus.topology.spending;

import dev.abacus.schemas.program.Spending;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one program spends on this worker. A call reserves an upper bound of its cost and books its
 * cost when it ends. Reservations come from leases, see {@link SpendingLedger}: over all workers,
 * leases are at most the cap, so the cap is exceeded by at most what calls in flight cost more than
 * their reservations.
 *
 * <p>The account asks for leases when calls need them, returns what it does not need, and uses no
 * lease after its window. It measures time by the broker's time of records and a monotonic clock.
 * Thread-safe; no method but {@link #await} blocks.
 */
public final class SpendingAccount {

  /** Time without demand after which unused leases are returned. */
  private static final long IDLE_NANOS = Duration.ofSeconds(1).toNanos();

  /** Pause between two questions whether a new window is open. */
  private static final long ASK_AGAIN_NANOS = Duration.ofMillis(250).toNanos();

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final String program;
  private final String instance;
  private final LongSupplier nanos;
  private final Consumer<SpendingRecord> topic;
  private volatile Supplier<@Nullable Spending> cap = () -> null;

  // Guarded by this, and waited for.
  private final SpendingLedger ledger = new SpendingLedger();
  private final WindowClock window = new WindowClock();
  private Amount lease = Amount.ZERO;
  private Amount spent = Amount.ZERO;
  private Amount reserved = Amount.ZERO;
  private Amount need = Amount.ZERO;
  private int waiting;
  private long demandAt;
  private boolean demand;
  private long sequence;
  private boolean asking;
  private long askedAt;
  private boolean closed;

  /**
   * An account without a cap.
   *
   * @param instance unique name of the process and its start
   * @param nanos a monotonic clock
   * @param topic sends a record to the topic; must not block
   */
  SpendingAccount(
      String program, String instance, LongSupplier nanos, Consumer<SpendingRecord> topic) {
    this.program = program;
    this.instance = instance;
    this.nanos = nanos;
    this.topic = topic;
  }

  /**
   * Sets where the cap in force is found.
   *
   * @param inForce quick; null means no cap
   */
  public void limitBy(Supplier<@Nullable Spending> inForce) {
    cap = inForce;
  }

  /** Whether a cap is in force. */
  boolean isCapped() {
    return cap.get() != null;
  }

  /** Money of a call that is in flight. */
  public final class Reservation {
    private final long serial;
    private final Amount amount;
    private boolean booked;

    private Reservation(long serial, Amount amount) {
      this.serial = serial;
      this.amount = amount;
    }

    /** Replaces the reservation by what the call cost; later calls do nothing. */
    public void book(Amount cost) {
      Spending limit = cap.get();
      synchronized (SpendingAccount.this) {
        // The costs of a call that started in an older window belong to that window.
        if (!booked && serial == ledger.serial()) {
          reserved = reserved.minus(amount);
          spent = spent.plus(limit == null ? Amount.ZERO : cost.limitedBy(Amount.of(limit)));
        }
        booked = true;
        SpendingAccount.this.notifyAll();
        ask(limit);
      }
    }

    /** Books the whole reservation, for a call with unknown cost. */
    public void bookAll() {
      book(amount);
    }
  }

  /** Reserves money for a call that starts now; null if there is not enough. */
  public synchronized @Nullable Reservation reserve(Amount estimate) {
    Spending limit = cap.get();
    if (limit == null) {
      return new Reservation(-1, Amount.ZERO);
    }
    Amount amount = needed(estimate, limit);
    demand(amount);
    Reservation reservation = null;
    if (canAfford(amount, limit)) {
      reserved = reserved.plus(amount);
      reservation = new Reservation(ledger.serial(), amount);
    }
    ask(limit);
    return reservation;
  }

  /**
   * Waits until a call can be afforded. Another call may be faster, so {@link #reserve} may fail
   * again.
   */
  public synchronized void await(Amount estimate) throws InterruptedException {
    waiting++;
    try {
      while (!closed) {
        Spending limit = cap.get();
        if (limit == null || canAfford(needed(estimate, limit), limit)) {
          return;
        }
        demand(needed(estimate, limit));
        ask(limit);
        wait(LONGEST_WAIT.toMillis());
      }
      throw new InterruptedException("the spending account is closed");
    } finally {
      waiting--;
    }
  }

  /** Whether a call such as the last one can be afforded now. Otherwise, asks for money. */
  public boolean isAffordable() {
    Spending limit = cap.get();
    return limit == null || isAffordable(limit);
  }

  private synchronized boolean isAffordable(Spending limit) {
    Amount last = need.min(Amount.of(limit)).limitedBy(Amount.of(limit));
    boolean affordable = canAfford(last, limit);
    if (!affordable) {
      demand(last);
      ask(limit);
    }
    return affordable;
  }

  /** A call that costs more than the cap starts if nothing else is spent. */
  private static Amount needed(Amount estimate, Spending limit) {
    return estimate.min(Amount.of(limit)).limitedBy(Amount.of(limit));
  }

  private void demand(Amount amount) {
    demand = true;
    demandAt = nanos.getAsLong();
    need = amount;
  }

  private boolean canAfford(Amount amount, Spending limit) {
    // What is free of charge never waits.
    return amount.equals(Amount.ZERO) || (!closed && isOpen() && amount.isWithin(available(limit)));
  }

  /** Whether the window of the ledger is not over, by the clocks of broker and worker. */
  private boolean isOpen() {
    return ledger.serial() > 0 && !window.isOver(nanos.getAsLong());
  }

  private Amount available(Spending limit) {
    Amount limits = Amount.of(limit);
    // The cap may have been lowered after the leases were granted.
    Amount excess = ledger.leased().minus(limits).max(Amount.ZERO);
    Amount left = lease.minus(spent).minus(reserved).minus(excess);
    return new Amount(
        limits.nanoUsd() == Amount.UNLIMITED ? Amount.UNLIMITED : left.nanoUsd(),
        limits.tokens() == Amount.UNLIMITED ? Amount.UNLIMITED : left.tokens());
  }

  /** Asks for a lease, or returns one, if that is due and no other record is on its way. */
  private void ask(@Nullable Spending limit) {
    if (limit == null || asking || closed) {
      return;
    }
    long now = nanos.getAsLong();
    if (!isOpen()) {
      if ((demand || waiting > 0) && (askedAt == 0 || now - askedAt >= ASK_AGAIN_NANOS)) {
        Amount all = Amount.of(limit);
        send(limit, lease, SpendingLedger.slice(all, all, need), need, now);
      }
      return;
    }
    Amount used = spent.plus(reserved);
    Amount free = available(limit);
    Amount rest = Amount.of(limit).minus(ledger.leased());
    Amount slice = SpendingLedger.slice(Amount.of(limit), rest, need);
    Amount debt = used.minus(lease).max(Amount.ZERO);
    Amount least = need.minus(free).max(Amount.ZERO);
    boolean low = demand && !slice.dividedBy(2).max(need).isWithin(free);
    if (!debt.equals(Amount.ZERO) && debt.isWithin(rest)) {
      send(limit, lease, debt.plus(slice), debt, now);
    } else if (low && least.isWithin(rest) && !slice.equals(Amount.ZERO)) {
      send(limit, lease, slice.max(least), least, now);
    } else if (waiting == 0 && isIdle(now) && used.isWithin(lease) && !used.equals(lease)) {
      lease = used;
      send(limit, lease, Amount.ZERO, Amount.ZERO, now);
    }
  }

  private boolean isIdle(long now) {
    if (demand && now - demandAt >= IDLE_NANOS) {
      demand = false;
    }
    return !demand;
  }

  private void send(Spending limit, Amount held, Amount ask, Amount least, long now) {
    asking = true;
    askedAt = now == 0 ? 1 : now;
    long length = WindowClock.length(limit);
    boolean elapsed = ledger.serial() > 0 && window.isElapsed(length, now);
    topic.accept(
        new SpendingRecord(
            program,
            instance,
            ++sequence,
            Amount.of(limit),
            length,
            ledger.window(),
            held.max(Amount.ZERO),
            ask,
            least,
            elapsed ? ledger.window() : null));
  }

  /**
   * Takes in a record of the topic.
   *
   * @param time of the record, in milliseconds since 1970
   */
  synchronized void apply(SpendingRecord record, long time) {
    long now = nanos.getAsLong();
    boolean own = record.instance().equals(instance);
    // An own record was written after it was sent: so the window does not end too late.
    long writtenAt = own && askedAt != 0 ? askedAt : now;
    long before = ledger.serial();
    long endedBefore = ledger.end();
    ledger.apply(record, time);
    boolean opened = before != ledger.serial();
    window.update(ledger.end() - time, writtenAt, opened || endedBefore != ledger.end());
    if (opened) {
      window.opens(now);
      lease = Amount.ZERO;
      spent = Amount.ZERO;
      reserved = Amount.ZERO;
    }
    if (own) {
      lease = ledger.leaseOf(instance);
      asking &= record.sequence() != sequence;
    }
    notifyAll();
  }

  /** The last record could not be sent. */
  synchronized void failed() {
    asking = false;
  }

  /** Asks for and returns leases by time; called several times a second. */
  synchronized void tick() {
    Spending limit = cap.get();
    ask(limit);
  }

  /** Why calls wait for money, in one line; null if none waits. */
  public synchronized @Nullable String problem() {
    Spending limit = cap.get();
    if (limit == null || (!demand && waiting == 0) || !isOpen() || canAfford(need, limit)) {
      return null;
    }
    Amount leased = ledger.leased();
    String money =
        limit.usd() == null
            ? ""
            : String.format(Locale.ROOT, "$%.4f of $%.4f", leased.usd(), limit.usd());
    String tokens =
        limit.tokens() == null
            ? ""
            : String.format(Locale.ROOT, "%,d of %,d tokens", leased.tokens(), limit.tokens());
    return "%s%s%s per %s are spent or reserved; calls continue at %s"
        .formatted(
            money,
            money.isEmpty() || tokens.isEmpty() ? "" : " and ",
            tokens,
            limit.window(),
            Instant.ofEpochMilli(ledger.end()));
  }

  /** Whether money is leased or spent in the window that is open. */
  synchronized boolean isUsed() {
    return isOpen() && !(lease.equals(Amount.ZERO) && spent.plus(reserved).equals(Amount.ZERO));
  }

  /** Returns what is not needed, and ends all waits. */
  synchronized void close() {
    Spending limit = cap.get();
    if (limit != null && !closed && isOpen() && !spent.plus(reserved).equals(lease)) {
      send(limit, spent.plus(reserved), Amount.ZERO, Amount.ZERO, nanos.getAsLong());
    }
    closed = true;
    notifyAll();
  }

  /** The leases of all workers in the present window. */
  synchronized Amount leased() {
    return ledger.leased();
  }
}
