package dev.abacus.optimizer.estimate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.observation.Evidence.Pair;
import dev.abacus.schemas.observation.Evidence.Pairs;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of an implementation on one document. Evidence is never changed: what it says about
 * live documents is computed by an {@link Estimator}.
 *
 * @param physical the implementation
 * @param seen the answer with its score, cost and latency
 * @param label the right output for the document; null if unknown
 * @param weight number of documents that the input stands for, above 0
 * @param ofRun whether it measures a whole plan that ran on the document: such evidence is read
 *     apart, because its documents are not those of the search
 * @param lineage null if the answer was seen
 */
public record Evidence(
    PhysicalOperator physical,
    Observation seen,
    @Nullable JsonNode label,
    double weight,
    boolean ofRun,
    @Nullable Lineage lineage) {

  /**
   * What a derived answer follows from. It is computed anew with each decision and not stored.
   *
   * @param fit name of what was learned
   * @param without id of the example that it was learned without
   * @param from what was seen
   */
  public record Lineage(String fit, String without, Observation from) {}

  /** The implementation whose measurements are read together. */
  record Group(String implementation, boolean ofRun) {}

  /** The evidence of a sample. */
  public static Evidence of(SampleTask task, Observation seen, boolean ofRun) {
    return new Evidence(
        task.physical(),
        seen,
        task.label(),
        Objects.requireNonNullElse(task.weight(), 1.0),
        ofRun,
        null);
  }

  /**
   * The evidence if the implementation had given another answer.
   *
   * @param fit name of what was learned from all other examples and gives the answer
   */
  public Evidence derived(Observation answer, String fit) {
    return new Evidence(
        physical, answer, label, weight, ofRun, new Lineage(fit, seen.exampleId(), seen));
  }

  /** What was seen. */
  public Evidence measured() {
    return lineage == null
        ? this
        : new Evidence(physical, lineage.from(), label, weight, ofRun, null);
  }

  /** This evidence read with that of the search. */
  public Evidence ofImplementation() {
    return ofRun ? new Evidence(physical, seen, label, weight, false, lineage) : this;
  }

  /** Id of the evidence. */
  public String id() {
    return seen.taskId();
  }

  Group group() {
    return new Group(physical.id(), ofRun);
  }

  /** The implementation whose answers these are, whatever the service tiers of its models. */
  String answering() {
    return ServiceTier.withoutTiers(physical.id());
  }

  /** As {@link #group}, of the evidence whose scores are read together. */
  Group answers() {
    return new Group(answering(), ofRun);
  }

  boolean isAnswered() {
    return Measurement.isAnswered(seen);
  }

  /** The compared pairs of a join; empty if there are none. */
  List<Pair> pairs() {
    return seen.evidence() instanceof Pairs(List<Pair> pairs, Double _) ? pairs : List.of();
  }
}
