package dev.abacus.topology.spending;

import dev.abacus.schemas.program.Spending;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Workers, a topic and a broker in virtual time, one millisecond per step. The endpoint's own book
 * says what was charged: the whole cost of every call that was sent, also of a worker that was
 * killed.
 */
final class SpendingCluster {

  /** A multiple of all window lengths of the tests. */
  private static final long START = 1_800_000_000_000L;

  private final Deque<Sent> sending = new ArrayDeque<>();
  private final List<Written> log = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private int started;
  private Spending cap;
  long now;
  long jump;
  int delay = 3;

  /** Charged nanodollars by the time at which their call started. */
  private final TreeMap<Long, Long> book = new TreeMap<>();

  /** What calls cost more than they had reserved. */
  private final TreeMap<Long, Long> excess = new TreeMap<>();

  private record Sent(SpendingRecord record, long at) {}

  private record Written(SpendingRecord record, long time, long readableAt) {}

  SpendingCluster(Spending cap) {
    this.cap = cap;
  }

  void cap(Spending other) {
    cap = other;
  }

  Worker worker() {
    Worker worker = new Worker("w" + started++);
    workers.add(worker);
    return worker;
  }

  List<Worker> workers() {
    return List.copyOf(workers);
  }

  /** A worker and its calls in flight. */
  final class Worker {
    final SpendingAccount account;
    private final List<Call> calls = new ArrayList<>();
    private final String name;
    private int read;

    Worker(String name) {
      this.name = name;
      account =
          new SpendingAccount(
              "p", name, () -> now * 1_000_000, record -> sending.add(new Sent(record, now)));
      account.limitBy(() -> cap);
    }

    /** Starts a call if it is affordable; returns whether it was. */
    boolean call(long estimate, long cost, long millis) {
      SpendingAccount.@Nullable Reservation reservation = account.reserve(new Amount(estimate, 0));
      if (reservation == null) {
        return false;
      }
      book.merge(now, cost, Long::sum);
      excess.merge(now, Math.max(0, cost - estimate), Long::sum);
      calls.add(new Call(reservation, cost, now + millis));
      return true;
    }

    /** As kill -9: the endpoint charges the calls in flight, and nobody books them. */
    void kill() {
      workers.remove(this);
      sending.removeIf(sent -> sent.record().instance().equals(name) && now % 2 == 0);
    }

    void close() {
      account.close();
      workers.remove(this);
    }

    private void step() {
      while (read < log.size() && log.get(read).readableAt() <= now) {
        Written next = log.get(read++);
        account.apply(next.record(), next.time());
      }
      for (Call call : List.copyOf(calls)) {
        if (call.end() <= now) {
          calls.remove(call);
          call.reservation().book(new Amount(call.cost(), 0));
        }
      }
      if (now % 50 == 0) {
        account.tick();
      }
    }
  }

  private record Call(SpendingAccount.Reservation reservation, long cost, long end) {}

  /** The time that the broker gives to a record now. */
  long brokerTime() {
    return START + now + jump;
  }

  void step() {
    now++;
    while (!sending.isEmpty() && sending.getFirst().at() + delay <= now) {
      log.add(new Written(sending.removeFirst().record(), brokerTime(), now + delay));
    }
    List.copyOf(workers).forEach(Worker::step);
  }

  void steps(long count) {
    for (long i = 0; i < count; i++) {
      step();
    }
  }

  /** What was charged for calls that started in [from, to). */
  long charged(long from, long to) {
    return book.subMap(from, to).values().stream().mapToLong(Long::longValue).sum();
  }

  long excess(long from, long to) {
    return excess.subMap(from, to).values().stream().mapToLong(Long::longValue).sum();
  }
}
