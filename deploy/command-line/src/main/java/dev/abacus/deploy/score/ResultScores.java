package dev.abacus.deploy.score;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.scoring.Scorer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Scores the results of a job against labels of its documents.
 *
 * <p>A map is scored by the labelled fields that its results still contain; a document without the
 * result that it should have scores 0. All filters are scored together, because they keep or drop a
 * document together. Calls no judge: documents without labels are ignored.
 */
public final class ResultScores {

  private final Program program;
  private final Scorer scorer;
  private final Map<String, JsonNode> labels;
  private final Map<String, ObjectNode> results;
  private final Set<String> fields = new HashSet<>();

  /**
   * @param labels labels by operator, by document key
   * @param results results by document key
   */
  public ResultScores(
      Program program,
      Scorer scorer,
      Map<String, JsonNode> labels,
      Map<String, ObjectNode> results) {
    this.program = program;
    this.scorer = scorer;
    this.labels = labels;
    this.results = results;
    results.values().forEach(result -> result.fieldNames().forEachRemaining(fields::add));
  }

  /**
   * One score.
   *
   * @param operator id of the operator; the ids of several filters are joined by "+"
   * @param metric name of the metric
   * @param value mean over the documents, in [0, 1]
   * @param documents number of documents with a label
   */
  public record Figure(String operator, String metric, double value, int documents) {}

  /**
   * Computes all scores: maps in program order, then the filters.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public List<Figure> figures() throws InterruptedException {
    List<Figure> figures = new ArrayList<>();
    for (LogicalOperator operator : program.operators()) {
      if (operator instanceof SemanticMap map && map.cardinality() == Cardinality.ONE) {
        addMap(figures, map);
      }
    }
    addFilters(figures);
    return figures;
  }

  private void addMap(List<Figure> figures, SemanticMap map) throws InterruptedException {
    Map<String, QualityMetric> metrics = program.validation().metrics();
    double sum = 0;
    int documents = 0;
    for (Map.Entry<String, JsonNode> labelled : labels.entrySet()) {
      JsonNode label = present(labelled.getValue().path(map.id()));
      ObjectNode result = results.get(labelled.getKey());
      if (label.isEmpty() || (result == null && !mustBeKept(labelled.getValue()))) {
        continue;
      }
      documents++;
      sum += result == null ? 0 : score(map, label, result, metrics);
    }
    if (documents > 0 && !(metrics.get(map.id()) instanceof QualityMetric.Judge)) {
      figures.add(new Figure(map.id(), name(map, metrics), sum / documents, documents));
    }
  }

  /** The fields of a label that results contain. */
  private JsonNode present(JsonNode label) {
    return label instanceof ObjectNode object ? object.deepCopy().retain(fields) : label;
  }

  private double score(
      SemanticMap map, JsonNode label, ObjectNode result, Map<String, QualityMetric> metrics)
      throws InterruptedException {
    Document output = Document.of(result);
    List<Field> labelled = map.writes().stream().filter(field -> label.has(field.name())).toList();
    SampleTask task =
        SampleTask.builder(map.id(), program.name())
            .operator(
                new SemanticMap(map.id(), map.input(), map.instruction(), map.reads(), labelled),
                new Relational())
            .example("", output, label)
            .metrics(metrics)
            .judge(program.judge())
            .build();
    Double quality =
        scorer
            .score(
                task,
                new OperatorOutcome.Kept(output, ExecutionStats.NONE),
                _ -> {
                  throw new IllegalStateException("results are scored without a judge");
                })
            .quality();
    return Objects.requireNonNullElse(quality, 0.0);
  }

  private String name(SemanticMap map, Map<String, QualityMetric> metrics) {
    List<String> names = new ArrayList<>();
    metrics.forEach((target, metric) -> {
      boolean field =
          target.startsWith(map.id() + ".")
              && fields.contains(target.substring(map.id().length() + 1));
      if (target.equals(map.id()) || field) {
        names.add(metric.label());
      }
    });
    return names.isEmpty() ? "f1 of lists, exact else" : String.join(", ", new TreeSet<>(names));
  }

  private List<SemanticFilter> filters() {
    return program.operators().stream()
        .filter(SemanticFilter.class::isInstance)
        .map(SemanticFilter.class::cast)
        .toList();
  }

  private boolean mustBeKept(JsonNode label) {
    return filters().stream().allMatch(filter -> label.path(filter.id()).asBoolean(false));
  }

  private void addFilters(List<Figure> figures) {
    List<SemanticFilter> filters = filters();
    int documents = 0;
    int right = 0;
    int found = 0;
    int wanted = 0;
    int kept = 0;
    for (Map.Entry<String, JsonNode> labelled : labels.entrySet()) {
      if (filters.stream().allMatch(filter -> labelled.getValue().path(filter.id()).isBoolean())) {
        boolean should = mustBeKept(labelled.getValue());
        boolean does = results.containsKey(labelled.getKey());
        documents++;
        right += should == does ? 1 : 0;
        found += should && does ? 1 : 0;
        wanted += should ? 1 : 0;
        kept += does ? 1 : 0;
      }
    }
    if (!filters.isEmpty() && documents > 0) {
      String ids = String.join("+", filters.stream().map(SemanticFilter::id).toList());
      figures.add(new Figure(ids, "agreement", (double) right / documents, documents));
      figures.add(
          new Figure(
              ids,
              "f1 of kept",
              wanted + kept == 0 ? 1 : 2.0 * found / (wanted + kept),
              documents));
    }
  }
}
