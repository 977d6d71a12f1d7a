package dev.abacus.deploy.evaluation.chaos.judge;

import dev.abacus.deploy.evaluation.chaos.judge.History.Call;
import dev.abacus.deploy.evaluation.chaos.judge.History.Incident;
import dev.abacus.deploy.evaluation.chaos.judge.History.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Judges that no answer is paid for twice and that spending caps hold. */
record Payments(Judge.Limits limits) {

  /** Requests that a frozen worker had begun are sent within this time after it continues. */
  private static final long WAKING_MILLIS = 250;

  /** Calls that were reserved in a window and reach the provider in the next one. */
  private static final int AT_A_BOUNDARY = 3;

  /** Share of a cap from which a window shows that it holds. */
  private static final double REACHED = 0.9;

  List<Verdict> judge(History history) {
    return List.of(paidTwice(history), spending(history));
  }

  private Verdict paidTwice(History history) {
    Verdict.Count twice = new Verdict.Count("not paid twice");
    Map<String, List<Call>> byRequest = new HashMap<>();
    history.calls().stream()
        .filter(call -> call.number() >= 0)
        .sorted(Comparator.comparingLong(Call::started))
        .forEach(
            call -> byRequest.computeIfAbsent(call.request(), _ -> new ArrayList<>()).add(call));
    long excused = 0;
    long answers = 0;
    for (List<Call> calls : byRequest.values()) {
      for (int i = 0; i < calls.size(); i++) {
        twice.check();
        answers++;
        if (i == 0) {
          continue;
        }
        Call earlier = calls.get(i - 1);
        if (inFlightAtItsEnd(earlier, history.incidents())
            || wasBegunWhenFrozen(calls.get(i), history.incidents())) {
          excused++;
        } else {
          twice.violate(describe(earlier, calls.get(i), history.incidents()));
        }
      }
    }
    long kills =
        history.incidents().stream().filter(incident -> takesCalls(incident.kind())).count();
    long bound =
        Math.max((long) (limits.repeatedShare() * answers), kills * (long) limits.openCalls());
    if (excused > bound) {
      twice.violate("%d in flight at %d kills, more than %d".formatted(excused, kills, bound));
    }
    return twice.verdict(
        String.format(
            Locale.ROOT,
            "%d more in flight at %d kills (%.2f %% of the answers)",
            excused,
            kills,
            answers == 0 ? 0 : 100.0 * excused / answers));
  }

  private static boolean takesCalls(Kind kind) {
    return kind == Kind.WORKER_KILLED || kind == Kind.WORKER_FROZEN;
  }

  private boolean inFlightAtItsEnd(Call call, List<Incident> incidents) {
    return incidents.stream()
        .filter(incident -> takesCalls(incident.kind()) && incident.target().equals(call.worker()))
        .anyMatch(incident ->
            mayHaveStarted(call, incident)
                && (call.ended() >= incident.at() - limits.inFlightMillis()
                    || isInOutage(call, incident, incidents)));
  }

  /** Whether a worker was frozen between the begin of a call and its request. */
  private static boolean wasBegunWhenFrozen(Call call, List<Incident> incidents) {
    return incidents.stream()
        .filter(incident -> incident.kind() == Kind.WORKER_FROZEN)
        .filter(incident -> incident.target().equals(call.worker()))
        .anyMatch(incident ->
            incident.at() <= call.started() && call.started() <= incident.until() + WAKING_MILLIS);
  }

  /** Whether a broker was killed shortly before the call was answered and its worker killed. */
  private boolean isInOutage(Call call, Incident kill, List<Incident> incidents) {
    return incidents.stream()
        .filter(incident -> incident.kind() == Kind.BROKER_KILLED)
        .anyMatch(broker ->
            call.ended() >= broker.at() - limits.inFlightMillis()
                && kill.at() <= broker.at() + limits.outageMillis());
  }

  /** A process that is killed starts no call, but the provider may read one from the network. */
  private static boolean mayHaveStarted(Call call, Incident incident) {
    return incident.kind() == Kind.WORKER_KILLED || call.started() <= incident.until();
  }

  private static String describe(Call earlier, Call later, List<Incident> incidents) {
    String nearest =
        incidents.stream()
            .min(Comparator.comparingLong(incident -> Math.abs(incident.at() - earlier.ended())))
            .map(incident ->
                "; nearest: %s of %s %+d ms"
                    .formatted(incident.kind(), incident.target(), incident.at() - earlier.ended()))
            .orElse("");
    return "%s: document %d answered to %s, again to %s %d ms later%s"
        .formatted(
            earlier.program(),
            earlier.number(),
            earlier.worker(),
            later.worker(),
            later.started() - earlier.ended(),
            nearest);
  }

  /**
   * A window may spend its cap, and what was reserved before its start: some calls, or all that
   * waited then for the provider or with their worker. Such calls are missing in the window before,
   * so a row of windows may exceed its caps by no more than was moved over its start. A window that
   * spends little, or may spend much more, is no case.
   */
  private Verdict spending(History history) {
    Verdict.Count caps = new Verdict.Count("spending caps");
    double worst = 0;
    for (Map.Entry<String, Judge.Cap> entry : limits.caps().entrySet()) {
      Judge.Cap cap = entry.getValue();
      TreeMap<Long, Double> spent = new TreeMap<>();
      double dearest = 0;
      for (Call call : history.calls()) {
        if (call.program().equals(entry.getKey())) {
          spent.merge(call.started() / cap.windowMillis(), call.usd(), Double::sum);
          dearest = Math.max(dearest, call.usd());
        }
      }
      for (Map.Entry<Long, Double> first : spent.entrySet()) {
        boolean disturbed = mayWait(first.getKey() * cap.windowMillis(), history.incidents());
        int before = disturbed ? limits.inFlight() : AT_A_BOUNDARY;
        worst = Math.max(worst, first.getValue() / cap.usd());
        if (!disturbed && first.getValue() >= REACHED * cap.usd()) {
          caps.check();
        }
        double sum = 0;
        for (Map.Entry<Long, Double> window : spent.tailMap(first.getKey()).entrySet()) {
          sum += window.getValue();
          long windows = window.getKey() - first.getKey() + 1;
          if (sum > windows * cap.usd() + before * dearest) {
            caps.violate(
                String.format(
                    Locale.ROOT,
                    "%s: $%.5f in %d windows of $%.5f",
                    entry.getKey(),
                    sum,
                    windows,
                    cap.usd()));
            break;
          }
        }
      }
    }
    return caps.verdict(String.format(Locale.ROOT, "most spent %.0f %% of a cap", 100 * worst));
  }

  /** Whether calls may have waited over this time for the provider, or with their worker. */
  private boolean mayWait(long time, List<Incident> incidents) {
    return incidents.stream()
        .filter(incident -> incident.at() <= time)
        .anyMatch(incident ->
            switch (incident.kind()) {
              case PROVIDER_FAULTS -> time <= incident.until() + Silence.CIRCUIT_MILLIS;
              case WORKER_FROZEN -> time <= incident.until() + WAKING_MILLIS;
              case BROKER_KILLED -> time <= incident.at() + limits.outageMillis();
              default -> false;
            });
  }
}
