package dev.abacus.schemas.observation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a sample task.
 *
 * @param taskId the task's id
 * @param operator id of the logical operator
 * @param physical id of the physical operator
 * @param outcome what the operator did with its input
 * @param outputs outputs of the operator; empty for a dropped document, a failure, or a task that
 *     only embeds
 * @param quality score in [0, 1]; 0 for a failure; null if unknown
 * @param scoredBy origin of the score
 * @param cost USD of the operator for this input, including failed attempts, as if no prompt about
 *     another document were in the cache of the provider
 * @param latency seconds of the operator
 * @param judgeCost USD for scoring, which counts against the budget but not against the operator
 * @param paid USD paid for the operator if different from its cost; otherwise null. The sample of a
 *     join asks about some items of the reference, and its cost is the estimate for all. Endpoints
 *     give a discount for what they have cached
 * @param evidence training data; null if there is none
 * @param failure why the operator failed or the output was not scored; null otherwise
 * @param unavailable the model that could not be called, for {@link Outcome#UNAVAILABLE}; null
 *     otherwise
 * @param tokens of chat models, judge included; null if not counted
 * @param expectedOutputs expected number of outputs of a live document if different from the number
 *     of {@code outputs}; otherwise null. The sample of a join compares some items of the reference
 * @param batch the call for several documents that gave the output; null for a call of its own
 * @param prefix what the prompts have in common with those about other documents; null if they have
 *     nothing in common that providers cache
 * @param atTiers what its calls cost at each service tier ÷ {@link #cost}, by the text of the tier,
 *     the standard one included; empty if no model that was called has tiers
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
public record Observation(
    String taskId,
    String program,
    String operator,
    String physical,
    String exampleId,
    Outcome outcome,
    List<Document> outputs,
    @Nullable Double quality,
    ScoredBy scoredBy,
    double cost,
    double latency,
    double judgeCost,
    @Nullable Double paid,
    @Nullable Evidence evidence,
    @Nullable String failure,
    @Nullable Unavailable unavailable,
    @Nullable TokenCounts tokens,
    @Nullable Double expectedOutputs,
    @Nullable Batch batch,
    @Nullable Prefix prefix,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> atTiers) {

  /**
   * The beginnings of prompts that documents share.
   *
   * @param usd the part of {@link #cost} in USD that is not charged if the provider has cached them
   * @param savedUsd the part of that which was not charged for this sample
   */
  public record Prefix(double usd, double savedUsd) {
    public Prefix {
      requireAmount("usd", usd);
      requireAmount("savedUsd", savedUsd);
    }

    /** The same for a part of the prompts. */
    public Prefix times(double part) {
      return new Prefix(part * usd, part * savedUsd);
    }
  }

  /**
   * One call for the inputs of several samples.
   *
   * @param id equal for the samples of one call
   * @param documents number of documents that the call was made for
   * @param instructionCost the part of {@link #cost} in USD for the instruction, which the
   *     documents of the call share
   */
  public record Batch(String id, int documents, double instructionCost) {
    public Batch {
      if (documents < 1) {
        throw new IllegalArgumentException("a call for %d documents".formatted(documents));
      }
      requireAmount("instructionCost", instructionCost);
    }
  }

  /** What an operator did with its input. */
  public enum Outcome {
    /** Emitted at least one document. */
    KEPT,
    /** A filter dropped the document. */
    DROPPED,
    /** Only embedded the input, to collect evidence. */
    EMBEDDED,
    /** Gave no valid answer in any attempt. */
    FAILED,
    /**
     * The provider of a model, also of the judge, is the reason that the sample has no result. The
     * sample says nothing about the implementation, so it has no quality; its cost counts.
     */
    UNAVAILABLE
  }

  /**
   * A model that could not be called.
   *
   * @param model name in the catalogue
   * @param state not {@link ModelState#AVAILABLE}
   * @param at time of the failure
   */
  public record Unavailable(String model, ModelState state, Instant at) {}

  /** Origin of a score. */
  public enum ScoredBy {
    LABEL,
    JUDGE,
    /** A failure has the score 0. */
    FAILURE,
    /** Neither a label nor a score of the judge exists. */
    NOBODY
  }

  public Observation {
    outputs = outputs == null ? List.of() : List.copyOf(outputs);
    if (quality != null && !(quality >= 0 && quality <= 1)) {
      throw new IllegalArgumentException("quality " + quality + " is not in [0, 1]");
    }
    atTiers = atTiers == null ? Map.of() : Map.copyOf(atTiers);
    atTiers.forEach(Observation::requireAmount);
    requireAmount("cost", cost);
    requireAmount("latency", latency);
    requireAmount("judgeCost", judgeCost);
    requireAmount("paid", paid == null ? 0 : paid);
    requireAmount("expectedOutputs", expectedOutputs == null ? 0 : expectedOutputs);
    if ((outcome == Outcome.UNAVAILABLE) != (unavailable != null)) {
      throw new IllegalArgumentException(outcome + " with unavailable model " + unavailable);
    }
    if (outcome == Outcome.UNAVAILABLE && quality != null) {
      throw new IllegalArgumentException("quality " + quality + " of an unavailable model");
    }
  }

  /** A builder with the ids of a task. */
  public static ObservationBuilder of(SampleTask task) {
    SampleTask.Batch shared = task.batch();
    return builder(
            task.id(), task.program(), task.operator().id(), task.physical().id(), task.exampleId())
        .batch(shared == null ? null : new Batch(shared.id(), shared.documents(), 0));
  }

  /**
   * A builder of an observation without outputs, score, cost, latency, evidence and failure.
   *
   * @param operator id of the logical operator
   * @param physical id of the physical operator
   */
  public static ObservationBuilder builder(
      String taskId, String program, String operator, String physical, String exampleId) {
    return ObservationBuilder.builder()
        .taskId(taskId)
        .program(program)
        .operator(operator)
        .physical(physical)
        .exampleId(exampleId)
        .outcome(Outcome.KEPT)
        .scoredBy(ScoredBy.NOBODY);
  }

  /** A builder that starts from this observation. */
  public ObservationBuilder toBuilder() {
    return ObservationBuilder.builder(this);
  }

  /** USD paid for the sample, including the judge. */
  @JsonIgnore
  public double spent() {
    return (paid == null ? cost : paid) + judgeCost;
  }

  /** The expected number of outputs of a live document. */
  @JsonIgnore
  public double outputCount() {
    return expectedOutputs == null ? outputs.size() : expectedOutputs;
  }

  /**
   * USD of the same calls at a service tier.
   *
   * @param tier its text; models that do not have it count at the standard tier
   */
  public double costAt(String tier) {
    return cost * atTiers.getOrDefault(tier, 1.0);
  }

  private static void requireAmount(String name, double amount) {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " " + amount + " is not a number >= 0");
    }
  }
}
