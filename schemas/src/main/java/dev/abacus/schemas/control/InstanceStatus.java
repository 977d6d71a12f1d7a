package dev.abacus.schemas.control;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.supervision.ThreadStatus;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status that an instance of the data plane reports for a program every few seconds, under the
 * key {@code <program>/<instance>}. Counters start with the instance.
 *
 * @param instance unique name of the process
 * @param state {@code WAITING_FOR_REFERENCES}, {@code WAITING_FOR_PLAN}, {@code STARTING}, {@code
 *     PAUSED}, {@code SLEEPING: } and since when, {@code WAITING: } and the reason, {@code
 *     DEGRADED: } and the thread that fails, or a state of Kafka Streams such as {@code RUNNING} or
 *     {@code REBALANCING}
 * @param epoch epoch of new documents; null before the first plan
 * @param pending admitted documents that are not finished
 * @param inFlight documents in process
 * @param results documents whose results were forwarded
 * @param filtered source documents that a filter, a limit or a closed window dropped
 * @param filteredGroups aggregated documents that a filter or a limit dropped; null before the
 *     first
 * @param deadLetters documents sent to the dead letter topic
 * @param samples finished sample tasks
 * @param costUsd USD spent on live documents, including the judge
 * @param sampleCostUsd USD spent on samples, including the judge
 * @param lag documents of all partitions that no instance has admitted, without those behind the
 *     open transaction of a producer; null if unknown
 * @param epochs counters of live documents by epoch
 * @param models calls by model, over all programs of the instance
 * @param quality judge scores of live outputs, by epoch and operator
 * @param references progress of references; empty once all are ready
 * @param waits models that calls of the program wait for; empty if none waits
 * @param demands calls by model, over all programs of the instance, from which all instances derive
 *     their shares of rate limits
 * @param availability models that the instance has checked; empty before the first check
 * @param sampleTokens of chat models for samples, including the judge; null if not counted
 * @param tokens of chat models and of embedding models behind endpoints for live documents,
 *     including the judge and calls of cancelled documents; null if not counted
 * @param reuse requests for live documents and the calls that the answer store saved; null without
 *     an answer store
 * @param sizes size of the processed documents, by source
 * @param flows inputs and outputs of operators over several documents, by operator
 * @param operators work of the operators on live documents
 * @param threads long-lived threads of the instance that serve the program
 * @param versions versions of the program that are not finished, the one that takes new documents
 *     last
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_NULL)
public record InstanceStatus(
    String program,
    String instance,
    Instant at,
    String state,
    @Nullable Long epoch,
    long pending,
    long inFlight,
    long results,
    long filtered,
    @Nullable Long filteredGroups,
    long deadLetters,
    long samples,
    double costUsd,
    double sampleCostUsd,
    @Nullable Long lag,
    List<EpochCounts> epochs,
    List<ModelHealth> models,
    List<QualityCounts> quality,
    List<ReferenceProgress> references,
    List<ModelWait> waits,
    List<ModelDemand> demands,
    List<ModelReport> availability,
    @Nullable TokenCounts sampleTokens,
    @Nullable TokenCounts tokens,
    @Nullable AnswerReuse reuse,
    List<SourceSize> sizes,
    List<OperatorFlow> flows,
    List<OperatorCounts> operators,
    List<ThreadStatus> threads,
    List<VersionStatus> versions) {

  public InstanceStatus {
    sizes = sizes == null ? List.of() : List.copyOf(sizes);
    flows = flows == null ? List.of() : List.copyOf(flows);
    operators = operators == null ? List.of() : List.copyOf(operators);
    versions = versions == null ? List.of() : List.copyOf(versions);
    threads = threads == null ? List.of() : List.copyOf(threads);
    epochs = epochs == null ? List.of() : List.copyOf(epochs);
    models = models == null ? List.of() : List.copyOf(models);
    quality = quality == null ? List.of() : List.copyOf(quality);
    references = references == null ? List.of() : List.copyOf(references);
    waits = waits == null ? List.of() : List.copyOf(waits);
    demands = demands == null ? List.of() : List.copyOf(demands);
    availability = availability == null ? List.of() : List.copyOf(availability);
  }

  /** Dropped documents and groups. */
  public long dropped() {
    return filtered + (filteredGroups == null ? 0 : filteredGroups);
  }

  /** Begins the state of a program that sleeps. */
  public static final String SLEEPING = "SLEEPING: ";

  /** Whether the program has stopped on the instance until the next record arrives. */
  @JsonIgnore
  public boolean isAsleep() {
    return state.startsWith(SLEEPING);
  }

  /** A builder with the values of this status. */
  public InstanceStatusBuilder toBuilder() {
    return InstanceStatusBuilder.builder(this);
  }

  /**
   * One version of a program on an instance.
   *
   * @param version 1 for the first
   * @param application id of its Kafka Streams application
   * @param state what it does
   */
  public record VersionStatus(int version, String application, String state) {}

  /** A builder of a status whose counts are 0, whose lists are empty, and that knows no lag. */
  public static InstanceStatusBuilder builder(
      String program, String instance, Instant at, String state) {
    return InstanceStatusBuilder.builder().program(program).instance(instance).at(at).state(state);
  }

  /**
   * Whether an instance can call a model.
   *
   * @param model name in the catalogue
   * @param since when the instance found this state
   * @param message endpoint, status and what to do; empty if the model is available
   */
  public record ModelReport(String model, ModelState state, Instant since, String message) {}

  /**
   * Health of the calls of one model on one instance.
   *
   * @param model name in the catalogue
   * @param calls attempts since the instance started
   * @param failures attempts that failed at the provider: rate limits, server errors, timeouts,
   *     lost connections, refused keys
   * @param open whether most of the latest attempts failed, so that the model is unreliable
   */
  public record ModelHealth(String model, long calls, long failures, boolean open) {}

  /**
   * The demand of one instance for a model.
   *
   * @param model name in the catalogue
   * @param callsPerMinute calls that started in the last minute
   * @param waiting calls that wait
   */
  public record ModelDemand(String model, long callsPerMinute, long waiting) {}
}
