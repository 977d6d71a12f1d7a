package dev.abacus.deploy.evaluation.chaos;

import dev.abacus.deploy.evaluation.chaos.judge.History;
import dev.abacus.deploy.evaluation.chaos.judge.Verdict;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of a chaos run.
 *
 * @param seed of the events
 * @param documents that the brokers accepted
 * @param outputs results and dead letters
 * @param calls answered calls
 * @param incidents number by kind
 * @param taught number of plans by what live documents taught
 * @param verdicts one per guarantee
 */
record ChaosReport(
    long seed,
    int documents,
    int outputs,
    int calls,
    Map<String, Integer> incidents,
    Map<String, Integer> taught,
    List<Verdict> verdicts) {

  ChaosReport {
    incidents = Map.copyOf(incidents);
    taught = Map.copyOf(taught);
    verdicts = List.copyOf(verdicts);
  }

  static ChaosReport of(
      long seed, History history, Map<String, Integer> taught, List<Verdict> verdicts) {
    Map<String, Integer> incidents = new TreeMap<>();
    history.incidents().forEach(it -> incidents.merge(it.kind().name(), 1, Integer::sum));
    return new ChaosReport(
        seed,
        history.sent().size(),
        history.outputs().size(),
        history.calls().size(),
        incidents,
        taught,
        verdicts);
  }

  boolean holds() {
    return verdicts.stream().allMatch(Verdict::holds);
  }

  /** The guarantees of which no case came up. */
  List<String> untested() {
    return verdicts.stream()
        .filter(verdict -> verdict.checked() == 0)
        .map(Verdict::guarantee)
        .toList();
  }
}
