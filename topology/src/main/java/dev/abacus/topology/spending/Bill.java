package dev.abacus.topology.spending;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.BillRecord;
import dev.abacus.schemas.control.BillRecord.Line;
import dev.abacus.topology.model.CallOutcome;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.ModelListener;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What this worker spends, by program, hour, operator, model and {@link CallPurpose}. It hears of
 * every attempt of a call, and {@link SpendingTopic} writes it. Thread-safe.
 */
public final class Bill implements ModelListener {

  private static final long HOUR_MILLIS = 3_600_000;

  private final ModelCatalogue catalogue;
  private final String instance;
  private final InstantSource clock;

  /** Guarded by this. */
  private final Map<String, Hour> programs = new HashMap<>();

  /** Hours that are over and not yet taken; guarded by this. */
  private final List<BillRecord> over = new ArrayList<>();

  /**
   * What a program has done since it started here.
   *
   * @param documents live documents with an end
   * @param storeSaved USD that the answer store saved
   * @param receiptsSaved USD that receipts saved
   */
  public record Totals(long documents, long results, double storeSaved, double receiptsSaved) {
    private static final Totals NONE = new Totals(0, 0, 0, 0);

    private Totals minus(Totals other) {
      return new Totals(
          documents - other.documents,
          results - other.results,
          storeSaved - other.storeSaved,
          receiptsSaved - other.receiptsSaved);
    }
  }

  /** The present hour of a program. */
  private static final class Hour {
    private long hour;
    private final Map<String, Line> lines = new TreeMap<>();
    private Supplier<Totals> totals = () -> Totals.NONE;
    private Totals before = Totals.NONE;
    private Totals taken = Totals.NONE;
    private boolean changed;
    private boolean stopped;

    private Totals done() {
      return totals.get().minus(before);
    }
  }

  /**
   * A bill without calls.
   *
   * @param instance name of the worker
   */
  public Bill(ModelCatalogue catalogue, String instance, InstantSource clock) {
    this.catalogue = catalogue;
    this.instance = instance + "-" + UUID.randomUUID();
    this.clock = clock;
  }

  /**
   * Sets where the totals of a program are found that starts. What it did in this hour before
   * counts too.
   */
  public synchronized void opened(String program, Supplier<Totals> totals) {
    Hour hour = hour(program);
    hour.before = totals.get().minus(hour.done());
    hour.totals = totals;
    hour.stopped = false;
  }

  /** Books a call for the purpose of this thread. */
  @Override
  public void ended(String model, CallOutcome<?> outcome) {
    CallPurpose purpose = CallPurpose.current();
    if (purpose.program().isEmpty() || outcome.attempts() == 0) {
      return;
    }
    TokenCounts tokens = outcome.tokens();
    ModelCard card = catalogue.find(model);
    double uncached = card == null ? 0 : card.standard().cost(tokens.input(), 0, tokens.output());
    double cached =
        card == null || card.served() == null ? outcome.cost() : card.standard().cost(tokens);
    Line line =
        new Line(
            purpose.operator(),
            model,
            purpose.kind().name().toLowerCase(Locale.ROOT),
            outcome.attempts(),
            tokens,
            nano(outcome.cost()),
            Math.max(0, nano(uncached - cached)),
            nano(cached - outcome.cost()));
    synchronized (this) {
      Hour hour = hour(purpose.program());
      hour.lines.merge(
          String.join("\n", line.operator(), line.model(), line.purpose()), line, Line::plus);
      hour.changed = true;
    }
  }

  private static long nano(double usd) {
    return Math.round(usd * 1e9);
  }

  /** The present hour of a program; the one before is over. */
  private Hour hour(String program) {
    Hour hour = programs.computeIfAbsent(program, _ -> new Hour());
    roll(program, hour);
    return hour;
  }

  private void roll(String program, Hour hour) {
    // An hour that a clock returns to would replace its record.
    long now = Math.max(hour.hour, Math.floorDiv(clock.millis(), HOUR_MILLIS));
    if (hour.hour != now) {
      if (isNew(hour)) {
        over.add(record(program, hour));
      }
      hour.lines.clear();
      hour.before = hour.totals.get();
      hour.taken = Totals.NONE;
      hour.hour = now;
    }
  }

  private BillRecord record(String program, Hour hour) {
    Totals done = hour.done();
    hour.taken = done;
    hour.changed = false;
    return new BillRecord(
        program,
        instance,
        hour.hour,
        List.copyOf(hour.lines.values()),
        done.documents(),
        done.results(),
        nano(done.storeSaved()),
        nano(done.receiptsSaved()));
  }

  private static boolean isNew(Hour hour) {
    return hour.changed || !hour.taken.equals(hour.done());
  }

  /** The records that changed since the last time. */
  synchronized List<BillRecord> take() {
    programs.forEach((program, hour) -> {
      roll(program, hour);
      if (isNew(hour)) {
        over.add(record(program, hour));
      }
    });
    // A new hour without calls is empty.
    programs
        .values()
        .removeIf(hour -> hour.stopped && hour.lines.isEmpty() && hour.taken.equals(Totals.NONE));
    List<BillRecord> records = List.copyOf(over);
    over.clear();
    return records;
  }

  /** Takes back a record that was not written; a newer one of its hour has all that it has. */
  synchronized void giveBack(BillRecord record) {
    Hour hour = programs.get(record.program());
    if (hour != null && hour.hour == record.hour()) {
      hour.changed = true;
    } else {
      over.add(record);
    }
  }

  /** Forgets a program that has stopped, when its hour is over: it may start again before. */
  synchronized void forget(String program) {
    Hour hour = programs.get(program);
    if (hour != null) {
      hour.stopped = true;
    }
  }
}
