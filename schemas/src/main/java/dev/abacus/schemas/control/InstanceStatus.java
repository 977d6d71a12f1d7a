package dev.abacus.schemas.control;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.supervision.ThreadStatus;
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
 * @param lag documents of all partitions that no instance has admitted; null if unknown
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
  public Builder toBuilder() {
    return new Builder(program, instance, at, state)
        .epoch(epoch)
        .pending(pending)
        .inFlight(inFlight)
        .results(results)
        .filtered(filtered)
        .filteredGroups(filteredGroups)
        .deadLetters(deadLetters)
        .samples(samples)
        .costUsd(costUsd)
        .sampleCostUsd(sampleCostUsd)
        .lag(lag)
        .epochs(epochs)
        .models(models)
        .quality(quality)
        .references(references)
        .waits(waits)
        .demands(demands)
        .availability(availability)
        .sampleTokens(sampleTokens)
        .tokens(tokens)
        .reuse(reuse)
        .sizes(sizes)
        .flows(flows)
        .operators(operators)
        .threads(threads)
        .versions(versions);
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
  public static Builder builder(String program, String instance, Instant at, String state) {
    return new Builder(program, instance, at, state);
  }

  /** Collects the parts of a status. */
  public static final class Builder {
    private final String program;
    private final String instance;
    private final Instant at;
    private final String state;
    private @Nullable Long epoch;
    private long pending;
    private long inFlight;
    private long results;
    private long filtered;
    private @Nullable Long filteredGroups;
    private long deadLetters;
    private long samples;
    private double costUsd;
    private double sampleCostUsd;
    private @Nullable Long lag;
    private List<EpochCounts> epochs = List.of();
    private List<ModelHealth> models = List.of();
    private List<QualityCounts> quality = List.of();
    private List<ReferenceProgress> references = List.of();
    private List<ModelWait> waits = List.of();
    private List<ModelDemand> demands = List.of();
    private List<ModelReport> availability = List.of();
    private @Nullable TokenCounts sampleTokens;
    private @Nullable TokenCounts tokens;
    private @Nullable AnswerReuse reuse;
    private List<SourceSize> sizes = List.of();
    private List<OperatorFlow> flows = List.of();
    private List<OperatorCounts> operators = List.of();
    private List<ThreadStatus> threads = List.of();
    private List<VersionStatus> versions = List.of();

    private Builder(String program, String instance, Instant at, String state) {
      this.program = program;
      this.instance = instance;
      this.at = at;
      this.state = state;
    }

    public Builder epoch(@Nullable Long value) {
      epoch = value;
      return this;
    }

    public Builder pending(long documents) {
      pending = documents;
      return this;
    }

    public Builder inFlight(long documents) {
      inFlight = documents;
      return this;
    }

    public Builder results(long documents) {
      results = documents;
      return this;
    }

    public Builder filtered(long documents) {
      filtered = documents;
      return this;
    }

    public Builder filteredGroups(@Nullable Long groups) {
      filteredGroups = groups;
      return this;
    }

    public Builder deadLetters(long documents) {
      deadLetters = documents;
      return this;
    }

    public Builder samples(long tasks) {
      samples = tasks;
      return this;
    }

    public Builder costUsd(double usd) {
      costUsd = usd;
      return this;
    }

    public Builder sampleCostUsd(double usd) {
      sampleCostUsd = usd;
      return this;
    }

    public Builder lag(@Nullable Long documents) {
      lag = documents;
      return this;
    }

    public Builder epochs(List<EpochCounts> counts) {
      epochs = counts;
      return this;
    }

    public Builder models(List<ModelHealth> health) {
      models = health;
      return this;
    }

    public Builder quality(List<QualityCounts> counts) {
      quality = counts;
      return this;
    }

    public Builder references(List<ReferenceProgress> progress) {
      references = progress;
      return this;
    }

    public Builder waits(List<ModelWait> models) {
      waits = models;
      return this;
    }

    public Builder demands(List<ModelDemand> models) {
      demands = models;
      return this;
    }

    public Builder sampleTokens(@Nullable TokenCounts counts) {
      sampleTokens = counts;
      return this;
    }

    public Builder reuse(@Nullable AnswerReuse counts) {
      reuse = counts;
      return this;
    }

    public Builder tokens(@Nullable TokenCounts counts) {
      tokens = counts;
      return this;
    }

    public Builder availability(List<ModelReport> reports) {
      availability = reports;
      return this;
    }

    public Builder sizes(List<SourceSize> bySource) {
      sizes = bySource;
      return this;
    }

    public Builder flows(List<OperatorFlow> byOperator) {
      flows = byOperator;
      return this;
    }

    public Builder operators(List<OperatorCounts> counts) {
      operators = counts;
      return this;
    }

    public Builder threads(List<ThreadStatus> states) {
      threads = states;
      return this;
    }

    public Builder versions(List<VersionStatus> states) {
      versions = states;
      return this;
    }

    public InstanceStatus build() {
      return new InstanceStatus(
          program,
          instance,
          at,
          state,
          epoch,
          pending,
          inFlight,
          results,
          filtered,
          filteredGroups,
          deadLetters,
          samples,
          costUsd,
          sampleCostUsd,
          lag,
          epochs,
          models,
          quality,
          references,
          waits,
          demands,
          availability,
          sampleTokens,
          tokens,
          reuse,
          sizes,
          flows,
          operators,
          threads,
          versions);
    }
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
