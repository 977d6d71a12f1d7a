package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.control.InstanceStatus.ReferenceProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a job is.
 *
 * @param sent documents that stand on the source topic
 * @param results documents with a result
 * @param outputs records on the results topic; more than {@code results} where a document gives
 *     several, or where results come from no single one
 * @param filtered documents that filters dropped; 0 where windows and limits take some as well
 * @param consumed where windows and limits take documents: those that left no record of their own;
 *     0 until the job is done
 * @param deadLetters documents that failed
 * @param pending documents that instances hold
 * @param states of the data-plane instances that report of the program
 * @param references how far references are that no instance has ready yet
 * @param costUsd USD spent on these documents
 * @param searchCostUsd USD spent on samples since the job began
 * @param resultsByEpoch how many results each plan gave
 * @param activeEpoch what instances stamp new documents with; null before the first plan
 * @param search what the optimizer last reported; null if nothing
 */
public record JobSnapshot(
    int sent,
    int results,
    int outputs,
    int filtered,
    int consumed,
    int deadLetters,
    long pending,
    List<String> states,
    List<ReferenceProgress> references,
    double costUsd,
    double searchCostUsd,
    Map<Long, Integer> resultsByEpoch,
    @Nullable Long activeEpoch,
    @Nullable JsonNode search) {

  public JobSnapshot {
    states = List.copyOf(states);
    references = List.copyOf(references);
    resultsByEpoch = Map.copyOf(resultsByEpoch);
  }

  /**
   * Whether the search has ended and what it found is in force.
   *
   * @param since reports from before do not count
   */
  public boolean searchedSince(Instant since) {
    if (search == null || activeEpoch == null) {
      return false;
    }
    boolean over =
        search.path("phase").asText().equals("FINISHED")
            && activeEpoch == search.path("epoch").longValue();
    String at = search.path("at").asText();
    return over && !at.isEmpty() && Instant.parse(at).isAfter(since);
  }

  /** Documents of which nothing is known yet. */
  public int open() {
    return sent - done();
  }

  /** Documents that are accounted for. */
  public int done() {
    return results + filtered + consumed + deadLetters;
  }

  /** What the job waits for, in words; empty if every document is accounted for. */
  public String waitingFor() {
    if (sent > 0 && open() == 0) {
      return "";
    }
    List<String> reasons = new ArrayList<>();
    if (states.isEmpty()) {
      reasons.add("no worker reports; start one with `abacus worker`");
    }
    states.stream()
        .filter(state -> state.startsWith("WAITING:") || state.equals("PAUSED"))
        .forEach(reasons::add);
    references.forEach(reference ->
        reasons.add(
            "reference '%s': %,d of %,d items are embedded"
                .formatted(reference.reference(), reference.ready(), reference.items())));
    if (search == null && (sent == 0 || activeEpoch == null)) {
      reasons.add("no optimizer reports; start one with `abacus optimizer`");
    } else if (search != null && (sent == 0 || activeEpoch == null)) {
      reasons.add(
          "the search is %s: %s"
              .formatted(
                  search.path("phase").asText().toLowerCase(Locale.ROOT).replace('_', ' '),
                  search.path("message").asText()));
    }
    if (reasons.isEmpty()) {
      reasons.add(
          pending > 0
              ? "workers hold " + pending + " documents, whose model calls are not back"
              : "workers have not taken the documents yet, or not reported since");
    }
    String why = String.join("; ", reasons);
    return sent == 0 ? why : "%d of %d documents are open: %s".formatted(open(), sent, why);
  }
}
