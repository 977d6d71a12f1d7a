package dev.abacus.deploy.evaluation.chaos.judge;

import dev.abacus.deploy.evaluation.chaos.judge.History.Incident;
import dev.abacus.deploy.evaluation.chaos.judge.History.Kind;
import dev.abacus.deploy.evaluation.chaos.judge.History.Output;
import dev.abacus.deploy.evaluation.chaos.judge.History.Sent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges how long a source partition has no result although a document waits. An incident within
 * that time extends what is allowed by its own duration and the time that recovery from it takes.
 */
final class Silence {

  /** The longest pause of an open circuit between two probes. */
  static final long CIRCUIT_MILLIS = 30_000;

  private final Judge judge;
  private final Judge.Limits limits;
  private final Verdict.Count count = new Verdict.Count("silence of partitions");

  Silence(Judge judge) {
    this.judge = judge;
    this.limits = judge.limits();
  }

  Verdict judge(History history) {
    long calm = 0;
    long disturbed = 0;
    for (String program : judge.shapes().keySet()) {
      if (!judge.isSilenceJudged(program)) {
        continue;
      }
      for (long[] gap : gaps(program, history)) {
        count.check();
        long extension = extension(gap, history.incidents());
        long length = gap[1] - gap[0];
        if (extension > 0) {
          disturbed = Math.max(disturbed, length);
        } else {
          calm = Math.max(calm, length);
        }
        if (length > limits.silenceMillis() + extension) {
          count.violate(
              "%s: %d ms without a result, %d ms explained by incidents"
                  .formatted(program, length, extension));
        }
      }
    }
    return count.verdict(
        String.format(
            Locale.ROOT,
            "longest %.1f s, with incidents %.1f s",
            calm / 1000.0,
            disturbed / 1000.0));
  }

  /** Returns begin and end of the times between results of a partition while a document waits. */
  private static List<long[]> gaps(String program, History history) {
    Map<Integer, Long> resultOf = new HashMap<>();
    for (Output output : history.outputs()) {
      if (output.program().equals(program)) {
        resultOf.putIfAbsent(output.number(), output.at());
      }
    }
    Map<Integer, List<Sent>> partitions = new TreeMap<>();
    history.sent().stream()
        .filter(sent -> sent.program().equals(program) && resultOf.containsKey(sent.number()))
        .forEach(
            sent -> partitions.computeIfAbsent(sent.partition(), _ -> new ArrayList<>()).add(sent));
    List<long[]> gaps = new ArrayList<>();
    for (List<Sent> documents : partitions.values()) {
      TreeSet<Long> results = new TreeSet<>();
      documents.forEach(document -> results.add(resultOf.getOrDefault(document.number(), 0L)));
      long last = Long.MIN_VALUE;
      for (long result : results) {
        long oldest =
            documents.stream()
                .filter(document -> resultOf.getOrDefault(document.number(), 0L) >= result)
                .mapToLong(Sent::at)
                .min()
                .orElse(result);
        // The first result waits for the start of the processes.
        if (last != Long.MIN_VALUE) {
          gaps.add(new long[] {Math.max(last, oldest), result});
        }
        last = result;
      }
    }
    return gaps;
  }

  private long extension(long[] gap, List<Incident> incidents) {
    long extension = 0;
    for (Incident incident : incidents) {
      long recovery = recoveryMillis(incident.kind());
      if (recovery > 0 && incident.at() <= gap[1] && incident.until() + recovery >= gap[0]) {
        extension += incident.until() - incident.at() + recovery;
      }
    }
    return extension;
  }

  private long recoveryMillis(Kind kind) {
    return switch (kind) {
      case WORKER_KILLED, WORKER_FROZEN, NO_WORKER_READY, BROKER_KILLED -> limits.takeoverMillis();
      case PROVIDER_FAULTS, FLEX_REFUSED -> CIRCUIT_MILLIS;
      case WORKER_TERMINATED, WORKER_STARTED, OPTIMIZER_KILLED, CONTROL_CHANGE, LOAD -> 0;
    };
  }
}
