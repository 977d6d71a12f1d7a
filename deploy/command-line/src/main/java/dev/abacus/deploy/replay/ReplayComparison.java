package dev.abacus.deploy.replay;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.replay.ProcessedDocuments.Processed;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ReplayOutcome;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds up how the outcomes of a replay differ from what is in force, field by field. */
public final class ReplayComparison {

  /** Two results with different numbers of outputs differ in this "field". */
  private static final String OUTPUTS = "number of outputs";

  /** Numbers are equal if their values are: Avro and JSON write them differently. */
  private static final Comparator<JsonNode> BY_VALUE =
      (one, other) ->
          one.isNumber() && other.isNumber()
              ? one.decimalValue().compareTo(other.decimalValue())
              : one.equals(other) ? 0 : 1;

  private final Candidate candidate;
  private final ResultsInForce inForce;
  private final Map<Long, PhysicalPlan> plans;
  private final boolean drops;

  private final Map<Change, Integer> documents = new EnumMap<>(Change.class);
  private final Map<String, Integer> fields = new TreeMap<>();
  private final List<Difference> differences = new ArrayList<>();
  private final Map<String, QualityCounts> scores = new HashMap<>();
  private EpochCounts run;
  private int compared;
  private double costInForce;
  private double costOfCandidate;
  private int samePlan;
  private int samePlanDiffers;
  private int unpaid;

  /** What changed for a document. */
  public enum Change {
    SAME("same"),
    DIFFERENT("other fields"),
    DROPPED("dropped now"),
    KEPT("kept now"),
    FAILED("fails now"),
    PASSED("fails no longer"),
    UNKNOWN("without a result to compare with"),
    MISSING("no longer on the topic"),
    UNAVAILABLE("not run: a model or Kafka was away");

    private final String text;

    Change(String text) {
      this.text = text;
    }

    /** A few words. */
    public String text() {
      return text;
    }

    /** Whether both plans have an outcome for the document. */
    boolean isCompared() {
      return compareTo(UNKNOWN) < 0;
    }
  }

  /**
   * A document with another outcome, or without one.
   *
   * @param field null if not the fields differ
   * @param before in force; null if there is no result
   * @param after by the candidate; null if it has no result
   * @param reason of a failure, or the operator that drops the document; null otherwise
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Difference(
      String key,
      String source,
      Change change,
      @Nullable String field,
      @Nullable JsonNode before,
      @Nullable JsonNode after,
      @Nullable String reason) {}

  /**
   * A comparison without outcomes yet.
   *
   * @param plans published plans by epoch
   */
  public ReplayComparison(
      Candidate candidate, ResultsInForce inForce, Map<Long, PhysicalPlan> plans) {
    this.candidate = candidate;
    this.inForce = inForce;
    this.plans = plans;
    this.run = EpochCounts.none(candidate.plan().epoch());
    this.drops = candidate.program().operators().stream().anyMatch(LogicalOperator::mayDrop);
  }

  /** Number of documents whose result in force was compared with an outcome. */
  public int compared() {
    return compared;
  }

  /** Adds the outcome of a document. */
  public void add(Processed document, ReplayOutcome outcome) {
    ResultsInForce.Result before = inForce.of(document.position());
    List<Difference> found = new ArrayList<>();
    Change change = change(document, before, outcome, found);
    documents.merge(change, 1, Integer::sum);
    differences.addAll(found);
    found.stream()
        .flatMap(difference -> Stream.ofNullable(difference.field()))
        .distinct()
        .forEach(field -> fields.merge(field, 1, Integer::sum));
    if (outcome.isRun()) {
      count(outcome);
    }
    if (change.isCompared() && before != null) {
      compared++;
      costInForce += before.cost();
      costOfCandidate += outcome.cost();
      PhysicalPlan plan = before.epoch() == null ? null : plans.get(before.epoch());
      if (plan != null && candidate.isSame(plan)) {
        samePlan++;
        samePlanDiffers += change == Change.SAME ? 0 : 1;
      }
    }
  }

  private void count(ReplayOutcome outcome) {
    boolean failed = outcome.kind() == ReplayOutcome.Kind.FAILED;
    run = run.with(outcome.cost(), outcome.latency(), failed);
    unpaid += outcome.paid() == 0 ? 1 : 0;
    for (ReplayOutcome.Score score : outcome.scores()) {
      QualityCounts none = QualityCounts.none(run.epoch(), score.operator());
      Boolean kept = score.kept();
      QualityCounts one =
          failed && score.quality() == 0 && score.operator().equals(outcome.operator())
              ? none.withFailure()
              : kept == null
                  ? none.with(score.quality())
                  : none.withDecision(kept, score.quality());
      scores.merge(score.operator(), one, QualityCounts::plus);
    }
  }

  private Change change(
      Processed document,
      ResultsInForce.@Nullable Result before,
      ReplayOutcome outcome,
      List<Difference> found) {
    Change change =
        switch (outcome.kind()) {
          case MISSING -> Change.MISSING;
          case UNAVAILABLE -> Change.UNAVAILABLE;
          case RESULT ->
              before == null
                  ? unknownOr(document, Change.KEPT)
                  : before.failed() != null
                      ? Change.PASSED
                      : differ(document, before, outcome, found);
          case DROPPED -> before == null ? unknownOr(document, Change.SAME) : Change.DROPPED;
          case FAILED -> before != null && before.failed() != null ? Change.SAME : Change.FAILED;
        };
    if (change != Change.SAME && change != Change.DIFFERENT && change != Change.UNKNOWN) {
      found.add(
          new Difference(
              document.key(),
              document.position(),
              change,
              null,
              null,
              null,
              outcome.reason() == null ? outcome.operator() : outcome.reason()));
    }
    return change;
  }

  /** Without a result a document was dropped, unless nothing drops one or compaction removed it. */
  private Change unknownOr(Processed document, Change known) {
    return drops && !inForce.hasKey(document.key()) ? known : Change.UNKNOWN;
  }

  private static Change differ(
      Processed document,
      ResultsInForce.Result before,
      ReplayOutcome outcome,
      List<Difference> found) {
    List<ObjectNode> now = outcome.outputs().stream().map(Document::toJson).toList();
    if (now.size() != before.outputs().size()) {
      found.add(
          difference(
              document,
              OUTPUTS,
              IntNode.valueOf(before.outputs().size()),
              IntNode.valueOf(now.size())));
    }
    for (int i = 0; i < Math.min(now.size(), before.outputs().size()); i++) {
      ObjectNode old = before.outputs().get(i);
      Set<String> names = new TreeSet<>();
      old.fieldNames().forEachRemaining(names::add);
      now.get(i).fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        JsonNode was = orNull(old.get(name));
        JsonNode is = orNull(now.get(i).get(name));
        if (!was.equals(BY_VALUE, is)) {
          found.add(difference(document, name, was, is));
        }
      }
    }
    return found.isEmpty() ? Change.SAME : Change.DIFFERENT;
  }

  private static JsonNode orNull(@Nullable JsonNode value) {
    return value == null ? NullNode.getInstance() : value;
  }

  private static Difference difference(
      Processed document, String field, JsonNode before, JsonNode after) {
    return new Difference(
        document.key(), document.position(), Change.DIFFERENT, field, before, after, null);
  }

  /** Number of documents by what changed for them. */
  public Map<Change, Integer> documents() {
    return Collections.unmodifiableMap(documents);
  }

  /** Number of documents with another value, by field. */
  public Map<String, Integer> fields() {
    return Collections.unmodifiableMap(fields);
  }

  /** All differences, in the order of the outcomes. */
  public List<Difference> differences() {
    return List.copyOf(differences);
  }

  /** Documents that were run without a call that cost something. */
  public int unpaid() {
    return unpaid;
  }

  /** The cost, latency and quality of the candidate on these documents. */
  public PromiseReport measured() {
    return PromiseReport.of(candidate.plan(), run, scores, candidate.program());
  }

  /**
   * Documents whose result in force is of the candidate's own plan.
   *
   * @param documents how many
   * @param different those with another outcome, which is the noise of the models
   */
  public record SamePlan(int documents, int different) {}

  /** What the noise of the models is, as far as these documents tell. */
  public SamePlan samePlan() {
    return new SamePlan(samePlan, samePlanDiffers);
  }

  /**
   * Mean costs over the documents with a result or dead letter in force, in USD.
   *
   * @param documents how many
   */
  public record Costs(int documents, double inForce, double candidate) {}

  /** The costs of both plans on the same documents; null if there is none. */
  public @Nullable Costs costs() {
    return compared == 0
        ? null
        : new Costs(compared, costInForce / compared, costOfCandidate / compared);
  }

  /** The numbers of documents by change, as in JSON. */
  public Map<String, Integer> counts() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (Change change : Change.values()) {
      counts.put(change.name().toLowerCase(Locale.ROOT), documents.getOrDefault(change, 0));
    }
    return counts;
  }
}
