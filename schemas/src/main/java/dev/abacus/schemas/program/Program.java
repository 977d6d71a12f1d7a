package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.abacus.schemas.file.FileReading;
import dev.abacus.schemas.input.Keyword;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.redaction.Redaction;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A declarative program of semantic operators, which reads documents from source topics and writes
 * results to one topic. {@link dev.abacus.schemas.program.io.ProgramParser} reads and checks it.
 *
 * @param name lower-case letters, digits and hyphens; the prefix of topics, ids and metrics
 * @param references collections that top-k and joins search
 * @param operators in the order written; an operator stands after its inputs
 * @param settings how the program is optimized and run
 */
public record Program(
    String name,
    List<Source> sources,
    List<Reference> references,
    List<LogicalOperator> operators,
    Results results,
    Settings settings) {

  /** The judge that the paper uses (section 2.2). */
  public static final String DEFAULT_JUDGE = "o4-mini";

  public Program {
    sources = List.copyOf(sources);
    references = List.copyOf(references);
    operators = List.copyOf(operators);
    Objects.requireNonNull(results, "results");
    Objects.requireNonNull(settings, "settings");
  }

  public Objective objective() {
    return settings.objective();
  }

  /** The budget of the search as the program states it; null if it states none. */
  public @Nullable SampleBudget budget() {
    return settings.budget().search();
  }

  /** The cap on the cost of live documents; null means no cap. */
  public @Nullable Spending spending() {
    return settings.budget().spending();
  }

  /** For which documents the search has to pay; null if it may use its whole budget. */
  public @Nullable Horizon horizon() {
    return settings.budget().horizon();
  }

  public Validation validation() {
    return settings.validation();
  }

  /** Names of the models that implementations may use; empty means all of the catalogue. */
  public List<String> models() {
    return settings.models().allowed();
  }

  /** The service tiers of models that are named without one; empty means the standard tier. */
  public List<String> tiers() {
    return settings.models().tiers();
  }

  /** The model that scores outputs without a label. */
  public String judge() {
    return settings.models().judge();
  }

  /** How the judge reasons before it answers; null as its card says. */
  public @Nullable Reasoning judgeReasoning() {
    return settings.models().judgeReasoning();
  }

  /** Number of graded examples that the judge sees; 0 if prompts may not show examples. */
  public int judgeExamples() {
    return settings.validation().fewShot() ? settings.models().judgeExamples() : 0;
  }

  public Settings.Ordering ordering() {
    return settings.ordering();
  }

  public Settings.Governance governance() {
    return settings.governance();
  }

  /**
   * What answers to live documents teach; null if they teach nothing. A program that states nothing
   * {@link #learnsUnasked learns unasked} or not at all.
   */
  public @Nullable Learning learning() {
    Learning stated = settings.learning();
    if (stated == null) {
      return learnsUnasked() ? Learning.DEFAULT : null;
    }
    return stated.fromAnswers() ? stated : null;
  }

  /**
   * Whether classifiers learn though the program does not say so: it is to be as cheap as can be,
   * and a classifier can answer for one of its operators.
   */
  public boolean learnsUnasked() {
    return settings.learning() == null
        && objective().target() == Dimension.COST
        && operators.stream()
            .anyMatch(operator -> operator.isSemantic() && AnswerClasses.areClosed(operator));
  }

  /** Most labels per day that are asked for; 0 for none. */
  public int review() {
    Learning stated = settings.learning();
    return stated == null ? 0 : stated.review();
  }

  /** The share of live documents that the search also runs beside the plan; 0 for none. */
  public double shadow() {
    Learning stated = settings.learning();
    return stated == null ? 0 : stated.shadow();
  }

  /**
   * The source with this name.
   *
   * @throws IllegalArgumentException if the program has no such source
   */
  public Source source(String sourceName) {
    return sources.stream()
        .filter(source -> source.name().equals(sourceName))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no source '" + sourceName + "' in " + name));
  }

  /** The source that reads a topic, or null. */
  public @Nullable Source sourceOf(@Nullable String topic) {
    return sources.stream().filter(source -> source.topic().equals(topic)).findFirst().orElse(null);
  }

  /**
   * Whether two plans may share the keys: it is set, and all operators see one document at a time.
   */
  public boolean mixes() {
    return governance().mixture() && operators.stream().allMatch(LogicalOperator::isPerDocument);
  }

  /** What is hidden in documents that may come from any source; null for nothing. */
  public @Nullable Redaction redaction() {
    return Redaction.ofAll(
        sources.stream().map(Source::redaction).filter(Objects::nonNull).toList());
  }

  /** Whether a topic of the program needs a schema registry. */
  public boolean usesRegistry() {
    return results.format().usesRegistry()
        || sources.stream().anyMatch(source -> source.format().usesRegistry())
        || references.stream().anyMatch(items -> items.format().usesRegistry());
  }

  /** The reference with this name, or null. */
  public @Nullable Reference reference(String referenceName) {
    return references.stream()
        .filter(reference -> reference.name().equals(referenceName))
        .findFirst()
        .orElse(null);
  }

  /** The operator with this id, or null. */
  public @Nullable LogicalOperator operator(String id) {
    return operators.stream().filter(operator -> operator.id().equals(id)).findFirst().orElse(null);
  }

  /** The operators that have implementations to choose from, in the order written. */
  public List<LogicalOperator> semanticOperators() {
    return operators.stream().filter(LogicalOperator::isSemantic).toList();
  }

  /** The budget of the search, or the default if the program states none. */
  public SampleBudget sampleBudget() {
    SampleBudget stated = budget();
    return stated != null
        ? stated
        : new SampleBudget.Invocations(
            SampleBudget.SAMPLES_PER_OPERATOR * Math.max(1, semanticOperators().size()));
  }

  /** The program with other operators. */
  public Program withOperators(List<LogicalOperator> other) {
    return new Program(name, sources, references, other, results, settings);
  }

  public Program withSettings(Settings other) {
    return new Program(name, sources, references, operators, results, other);
  }

  /**
   * The program with another objective. One that does not learn does not begin to: the topic of
   * live answers is made with the program.
   */
  public Program withObjective(Objective other) {
    Settings changed = settings.withObjective(other);
    return other.equals(objective())
        ? this
        : withSettings(
            settings.learning() == null && !learnsUnasked()
                ? changed.withLearning(Learning.OFF)
                : changed);
  }

  public Program withBudget(@Nullable SampleBudget search, @Nullable Spending spending) {
    return withSettings(settings.withBudget(new Settings.Budget(search, spending, horizon())));
  }

  /** The program, whose prompts and plans may contain labelled examples or not. */
  public Program withFewShot(boolean allowed) {
    return withSettings(settings.withValidation(validation().withFewShot(allowed)));
  }

  /** Encoding of the documents on a topic. */
  public enum Format implements Keyword {
    /** One JSON object in UTF-8. */
    JSON,
    /** Avro in Confluent's wire format, with the schema in a registry. */
    AVRO,
    /** Protobuf in Confluent's wire format, with the schema in a registry. No format of results. */
    PROTOBUF,
    /** A file, such as a PDF or an image; the record key is its id. No format of results. */
    FILE;

    /** Whether values have their schema in a registry. */
    public boolean usesRegistry() {
      return this == AVRO || this == PROTOBUF;
    }
  }

  /**
   * A topic of documents.
   *
   * @param name the name that operators use
   * @param topic the Kafka topic
   * @param format encoding of the values
   * @param key the field with the id of the document; equal to the record key if there is one
   * @param time where documents state their event time; null for the timestamp of the record
   * @param redaction what is hidden in its documents; null for nothing
   * @param files how files in its documents are read
   */
  public record Source(
      @JsonIgnore String name,
      String topic,
      Format format,
      String key,
      @JsonIgnore @Nullable DocumentTime time,
      @JsonIgnore @Nullable Redaction redaction,
      @JsonIgnore FileReading files) {

    /** A source with the timestamps of its records, in which nothing is hidden. */
    public Source(String name, String topic, Format format, String key) {
      this(name, topic, format, key, null, null, FileReading.DEFAULT);
    }
  }

  /**
   * A collection of items for top-k and joins: a compacted topic, where a tombstone removes an
   * item.
   *
   * @param name the name that operators use
   * @param topic the Kafka topic
   * @param format encoding of the values
   * @param key the field with the id of the item; equal to the record key if there is one
   * @param embed embedded fields, in this order; empty means all text fields
   */
  public record Reference(
      @JsonIgnore String name, String topic, Format format, String key, List<String> embed) {

    public Reference {
      embed = List.copyOf(embed);
    }
  }

  /** The topic of the results and the encoding of their values. */
  public record Results(String topic, Format format) {}
}
