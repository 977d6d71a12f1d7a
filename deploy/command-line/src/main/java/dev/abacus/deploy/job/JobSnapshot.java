package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.ReferenceProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a job.
 *
 * @param sent documents written to the source topics
 * @param results documents with a result
 * @param outputs result records; more than {@code results} if a document has several results, or if
 *     results come from several documents
 * @param filtered documents that filters dropped; 0 if the program has stateful operators
 * @param consumed documents without a record in a program with stateful operators; 0 until the job
 *     is complete
 * @param deadLetters documents that failed
 * @param instances last reports of the live instances of the data plane
 * @param costUsd USD spent on these documents
 * @param searchCostUsd USD spent on samples since the job began
 * @param resultsByEpoch number of results per plan epoch
 * @param search last report of the optimizer; null if none
 */
public record JobSnapshot(
    int sent,
    int results,
    int outputs,
    int filtered,
    int consumed,
    int deadLetters,
    List<InstanceStatus> instances,
    double costUsd,
    double searchCostUsd,
    Map<Long, Integer> resultsByEpoch,
    @Nullable JsonNode search) {

  public JobSnapshot {
    instances = List.copyOf(instances);
    resultsByEpoch = Map.copyOf(resultsByEpoch);
  }

  /** Epoch that all instances stamp on new documents; null before the first plan. */
  public @Nullable Long activeEpoch() {
    return instances.stream()
        .map(InstanceStatus::epoch)
        .filter(Objects::nonNull)
        .min(Long::compare)
        .orElse(null);
  }

  /** Progress of the references that some instance is still loading: the slowest report of each. */
  public List<ReferenceProgress> references() {
    Map<String, ReferenceProgress> slowest = new TreeMap<>();
    for (InstanceStatus instance : instances) {
      for (ReferenceProgress progress : instance.references()) {
        slowest.merge(
            progress.reference(), progress, (one, two) -> one.ready() < two.ready() ? one : two);
      }
    }
    return List.copyOf(slowest.values());
  }

  /** Last reports of the instances whose calls wait for a model. */
  public List<InstanceStatus> waiting() {
    return instances.stream().filter(instance -> !instance.waits().isEmpty()).toList();
  }

  /**
   * Whether the search has ended and its plan is active.
   *
   * @param since ignores reports before this time
   */
  public boolean searchedSince(Instant since) {
    Long active = activeEpoch();
    if (search == null || active == null) {
      return false;
    }
    boolean over =
        search.path("phase").asText().equals("FINISHED")
            && active == search.path("epoch").longValue();
    return over && searchReportedAt().isAfter(since);
  }

  /** Time of the last report of the optimizer, by the broker's clock; 1970 if there is none. */
  public Instant searchReportedAt() {
    String at = search == null ? "" : search.path("at").asText();
    return at.isEmpty() ? Instant.EPOCH : Instant.parse(at);
  }

  /** Number of documents without a known outcome. */
  public int open() {
    return sent - done();
  }

  /** Number of documents with a known outcome. */
  public int done() {
    return results + filtered + consumed + deadLetters;
  }

  /** Describes what the job waits for. */
  public String waitingFor() {
    if (sent > 0 && open() == 0) {
      return "every document has an outcome, and more results may stand behind an open transaction";
    }
    List<String> reasons = new ArrayList<>();
    if (instances.isEmpty()) {
      reasons.add("no worker reports; start one with `abacus worker`");
    }
    instances.stream()
        .map(InstanceStatus::state)
        .filter(state -> state.startsWith("WAITING:") || state.equals("PAUSED"))
        .forEach(reasons::add);
    references().forEach(reference -> reasons.add(reference.describe()));
    if (sent == 0 || activeEpoch() == null) {
      reasons.add(
          search == null
              ? "no optimizer reports; start one with `abacus optimizer`"
              : "the search is %s: %s"
                  .formatted(
                      search.path("phase").asText().toLowerCase(Locale.ROOT).replace('_', ' '),
                      search.path("message").asText()));
    }
    instances.stream()
        .flatMap(instance -> instance.waits().stream())
        .map(wait -> "calls wait for " + wait.model())
        .distinct()
        .forEach(reasons::add);
    if (reasons.isEmpty()) {
      long pending = instances.stream().mapToLong(InstanceStatus::pending).sum();
      reasons.add(
          pending > 0
              ? "workers wait for model calls of " + pending + " documents"
              : "workers have not consumed the documents yet, or have not reported since");
    }
    String why = String.join("; ", reasons);
    return sent == 0 ? why : "%d of %d documents are open: %s".formatted(open(), sent, why);
  }
}
