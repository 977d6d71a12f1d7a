package dev.abacus.schemas.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one instance of the data plane reports of one program, every few seconds; key {@code
 * <program>/<instance>}. Counts are since the instance started.
 *
 * @param instance unique name of the process
 * @param state {@code WAITING_FOR_REFERENCES}, {@code WAITING_FOR_PLAN}, {@code STARTING}, {@code
 *     PAUSED}, {@code WAITING: } and what for, or a state of Kafka Streams such as {@code RUNNING}
 *     or {@code REBALANCING}
 * @param epoch the epoch that it stamps new documents with; null before the first plan
 * @param pending documents admitted and not yet done
 * @param inFlight documents that are being worked on right now
 * @param results documents whose results were forwarded
 * @param filtered documents of the sources that a filter dropped, or that a limit or a closed
 *     window left out
 * @param filteredGroups the same of groups, which an aggregate made of several documents; null
 *     before the first
 * @param deadLetters documents that went to the dead letter topic
 * @param samples sample tasks done
 * @param costUsd USD spent on live documents, on judging some of them included
 * @param sampleCostUsd USD spent on samples, judge included
 * @param lag documents of all partitions that no instance has admitted yet; null if not known
 * @param epochs live documents by epoch
 * @param models calls by model, of all programs of the instance together
 * @param quality what the judge said of live outputs, by epoch and operator
 * @param references how far references are; none once all are ready
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
    List<ReferenceProgress> references) {

  public InstanceStatus {
    epochs = epochs == null ? List.of() : List.copyOf(epochs);
    models = models == null ? List.of() : List.copyOf(models);
    quality = quality == null ? List.of() : List.copyOf(quality);
    references = references == null ? List.of() : List.copyOf(references);
  }

  /** Everything that a filter dropped or a limit or window left out, documents and groups. */
  public long dropped() {
    return filtered + (filteredGroups == null ? 0 : filteredGroups);
  }

  public InstanceStatus withReferences(List<ReferenceProgress> progress) {
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
        progress);
  }

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
          references);
    }
  }

  /**
   * How calls of one model went on one instance.
   *
   * @param model name of the catalogue
   * @param calls attempts since the instance started
   * @param failures of these, that the provider is to blame for: limits, server errors, timeouts,
   *     lost connections, refused keys
   * @param open whether most of the latest attempts failed so: the model is not to be relied on
   */
  public record ModelHealth(String model, long calls, long failures, boolean open) {}

  /**
   * How far one instance is in making a reference ready.
   *
   * @param reference its name in the program
   * @param ready items, of those that it held when the instance began, that can be matched against
   * @param items how many it held then; 0 while they are not counted yet
   */
  public record ReferenceProgress(String reference, long ready, long items) {

    /** Whether there is nothing left to wait for, as far as is known. */
    public boolean isComplete() {
      return items > 0 && ready >= items;
    }
  }
}
