package dev.abacus.deploy.score;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.scoring.Scorer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Scores the results of a job against labels of its documents, in the measure of the promise, which
 * is the product of the scores of the operators. The scorer is that of samples.
 *
 * <p>An operator is scored on the documents with a result, by the labelled fields that results
 * still contain. It scores 0 on a document that it made a dead letter. A document that another
 * operator dropped says nothing about it. If the results lack the list that a rank ordered, all
 * labelled items count as items of that list. Calls no judge: documents without labels are ignored.
 */
public final class ResultScores {

  /** Stands for the operator in the score of all operators together. */
  public static final String WHOLE_PLAN = "whole plan";

  private final Program program;
  private final ProgramFlow flow;
  private final Scorer scorer;
  private final Map<String, JsonNode> labels;
  private final DocumentOutcomes outcomes;
  private final ResultFields fields;

  /**
   * @param labels labels by operator, by document key
   * @param outcomes of the documents
   */
  public ResultScores(
      Program program, Scorer scorer, Map<String, JsonNode> labels, DocumentOutcomes outcomes) {
    this.program = program;
    this.flow = new ProgramFlow(program);
    this.scorer = scorer;
    this.labels = labels;
    this.outcomes = outcomes;
    this.fields = ResultFields.of(program, outcomes.results().values());
  }

  /**
   * One score.
   *
   * @param operator id of the operator; the ids of several filters are joined by "+"; {@link
   *     #WHOLE_PLAN}
   * @param metric name of the metric
   * @param value in [0, 1]
   * @param documents number of documents with a label that were scored
   * @param comparable whether the promise is in the same measure
   */
  public record Figure(
      String operator, String metric, double value, int documents, @JsonIgnore boolean comparable) {

    /** A score in the measure of the promise. */
    public Figure(String operator, String metric, double value, int documents) {
      this(operator, metric, value, documents, true);
    }
  }

  /**
   * A semantic operator without a score in the measure of the promise.
   *
   * @param reason why it has none
   */
  public record Unscored(String operator, String reason) {
    static final String NO_LABELS = "no labels";
    static final String BY_JUDGE = "its metric is judge";
    static final String NO_JOURNEYS =
        "results do not tell which operator dropped a document, and no journey can be read";
  }

  /**
   * All scores.
   *
   * @param figures of operators, and of the whole plan if {@code unscored} is empty
   * @param unscored semantic operators without a score
   */
  public record Scores(List<Figure> figures, List<Unscored> unscored) {

    /** No scores, because there are no labels. */
    public static final Scores NONE = new Scores(List.of(), List.of());

    public Scores {
      figures = List.copyOf(figures);
      unscored = List.copyOf(unscored);
    }
  }

  /**
   * Whether journeys tell more than results about the documents of a program: several of its
   * operators may drop a document.
   */
  public static boolean needsJourneys(Program program) {
    return new ProgramFlow(program).needsJourneys();
  }

  /**
   * Computes all scores: operators in program order, then filters, then the product of all if every
   * semantic operator has a score.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public Scores scores() throws InterruptedException {
    List<Figure> figures = new ArrayList<>();
    List<Unscored> unscored = new ArrayList<>();
    for (LogicalOperator operator : program.semanticOperators()) {
      if (!operator.decides()) {
        add(operator, figures, unscored);
      }
    }
    new FilterFigures(program, labels, outcomes).addTo(figures, unscored);
    List<Figure> factors = figures.stream().filter(Figure::comparable).toList();
    if (unscored.isEmpty() && !factors.isEmpty()) {
      figures.add(
          new Figure(
              WHOLE_PLAN,
              "quality",
              factors.stream().mapToDouble(Figure::value).reduce(1, (a, b) -> a * b),
              factors.stream().mapToInt(Figure::documents).min().orElse(0)));
    }
    return new Scores(figures, unscored);
  }

  private void add(LogicalOperator operator, List<Figure> figures, List<Unscored> unscored)
      throws InterruptedException {
    String problem = problem(operator);
    double sum = 0;
    int documents = 0;
    boolean labelled = false;
    for (Map.Entry<String, JsonNode> entry : labels.entrySet()) {
      JsonNode label = entry.getValue().path(operator.id());
      labelled |= !label.isMissingNode() && !label.isNull();
      Double score = problem == null ? score(operator, label, entry.getKey()) : null;
      if (score != null) {
        sum += score;
        documents++;
      }
    }
    if (!labelled) {
      unscored.add(new Unscored(operator.id(), Unscored.NO_LABELS));
    } else if (problem != null) {
      unscored.add(new Unscored(operator.id(), problem));
    } else if (documents == 0) {
      unscored.add(
          new Unscored(operator.id(), "no labelled document has a result with its fields"));
    } else {
      // Without the list, items that the search missed count, and the promise excludes these.
      boolean comparable = !(operator instanceof SemanticRank rank) || fields.isListed(rank);
      figures.add(
          new Figure(
              operator.id(), fields.metric(operator), sum / documents, documents, comparable));
      if (!comparable) {
        unscored.add(new Unscored(operator.id(), "results lack the list that it ordered"));
      }
    }
  }

  /** Why no result tells the quality of an operator; null if results may. */
  private @Nullable String problem(LogicalOperator operator) {
    QualityMetric metric = program.validation().metric(operator.id());
    if (metric instanceof QualityMetric.Judge) {
      return Unscored.BY_JUDGE;
    }
    if (operator instanceof StreamJoin) {
      return "labels of documents do not tell which pairs match";
    }
    if (operator instanceof ReferenceJoin && metric instanceof QualityMetric.Accuracy) {
      return "results do not have the pairs that do not match, which accuracy counts";
    }
    if (operator.writtenFields().stream().noneMatch(field -> fields.isVisible(operator, field))) {
      return "results lack its fields, or have those of a later operator";
    }
    String obscured = operator.outputs().mayBeSeveral() ? flow.obscured(operator) : null;
    boolean untold = flow.isOneOfDroppers(operator) && outcomes.decisions().isEmpty();
    if (obscured == null && untold) {
      return Unscored.NO_JOURNEYS;
    }
    return obscured;
  }

  /** The score on a document; null if the document says nothing about the operator. */
  private @Nullable Double score(LogicalOperator operator, JsonNode label, String key)
      throws InterruptedException {
    LogicalOperator scored = fields.labelled(operator, label);
    if (scored == null) {
      return null;
    }
    String failed = outcomes.failures().get(key);
    if (failed == null
        && flow.isOneOfDroppers(operator)
        && !outcomes.decisions().containsKey(key)) {
      // Documents without a result would be missing.
      return null;
    }
    if (failed != null) {
      return failed.equals(operator.id()) ? 0.0 : null;
    }
    List<Document> outputs =
        outcomes.results().getOrDefault(key, List.of()).stream().map(Document::of).toList();
    if (outputs.isEmpty()) {
      return isDroppedBy(operator, key) ? score(scored, label, Document.empty(), outputs) : null;
    }
    if (operator.outputs().mayBeSeveral()) {
      return score(scored, label, outputs.getFirst(), outputs);
    }
    double sum = 0;
    for (Document output : outputs) {
      sum += score(scored, label, fields.input(operator, label, output), List.of(output));
    }
    return sum / outputs.size();
  }

  private boolean isDroppedBy(LogicalOperator operator, String key) {
    Map<String, Boolean> decisions = outcomes.decisions().get(key);
    return decisions == null
        ? flow.isOnlyDropper(operator)
        : Boolean.FALSE.equals(decisions.get(operator.id()));
  }

  private double score(
      LogicalOperator operator, JsonNode label, Document input, List<Document> outputs)
      throws InterruptedException {
    SampleTask task =
        SampleTask.builder("", program.name())
            .operator(operator)
            .physical(new Relational())
            .exampleId("")
            .input(input)
            .label(label)
            .metrics(program.validation().metrics())
            .judge(program.judge())
            .build();
    OperatorOutcome outcome = new OperatorOutcome.Kept(outputs, ExecutionStats.NONE, null);
    return Objects.requireNonNullElse(
        scorer.scoreByLabel(task, outcome, this::keyField).quality(), 0.0);
  }

  private String keyField(String name) {
    Reference reference = program.reference(name);
    return reference == null ? "id" : reference.key();
  }
}
