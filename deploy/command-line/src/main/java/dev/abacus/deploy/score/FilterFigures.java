package dev.abacus.deploy.score;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.score.ResultScores.Figure;
import dev.abacus.deploy.score.ResultScores.Unscored;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scores the filters of a program: each by its own decisions, and all together by which documents
 * have results. A failure counts as a wrong decision.
 */
record FilterFigures(Program program, Map<String, JsonNode> labels, DocumentOutcomes outcomes) {

  private static final QualityMetric ACCURACY = new QualityMetric.Accuracy();

  /** The decisions about the documents that were compared with labels. */
  private record Compared(MatchCounts counts, int documents) {

    static final Compared NONE = new Compared(MatchCounts.NONE, 0);

    Compared plus(boolean kept, boolean right) {
      return new Compared(counts.plus(MatchCounts.ofDecision(kept, right ? 1 : 0)), documents + 1);
    }
  }

  void addTo(List<Figure> figures, List<Unscored> unscored) {
    List<SemanticFilter> filters =
        program.operators().stream()
            .filter(SemanticFilter.class::isInstance)
            .map(SemanticFilter.class::cast)
            .toList();
    for (SemanticFilter filter : filters.stream().filter(SemanticFilter::isSemantic).toList()) {
      add(filter, figures, unscored);
    }
    Compared together = together(filters);
    if (together.documents() > 0) {
      String ids = String.join("+", filters.stream().map(SemanticFilter::id).toList());
      figures.add(
          new Figure(
              ids, "agreement", together.counts().score(ACCURACY), together.documents(), false));
      figures.add(
          new Figure(
              ids,
              "f1 of kept",
              together.counts().score(new QualityMetric.SetF1()),
              together.documents(),
              false));
    }
  }

  private void add(SemanticFilter filter, List<Figure> figures, List<Unscored> unscored) {
    QualityMetric metric = program.validation().metric(filter.id());
    boolean alone = new ProgramFlow(program).isOnlyDropper(filter);
    boolean labelled = false;
    Compared compared = Compared.NONE;
    for (Map.Entry<String, JsonNode> entry : labels.entrySet()) {
      JsonNode label = entry.getValue().path(filter.id());
      if (label.isBoolean()) {
        labelled = true;
        Boolean kept = kept(filter, alone, entry.getKey(), label.booleanValue());
        if (kept != null) {
          compared = compared.plus(kept, kept == label.booleanValue());
        }
      }
    }
    if (metric instanceof QualityMetric.Judge) {
      unscored.add(new Unscored(filter.id(), Unscored.BY_JUDGE));
    } else if (!labelled) {
      unscored.add(new Unscored(filter.id(), Unscored.NO_LABELS));
    } else if (compared.documents() == 0) {
      unscored.add(
          new Unscored(
              filter.id(), alone ? "no labelled document has an outcome" : Unscored.NO_JOURNEYS));
    } else {
      MatchCounts counts = compared.counts();
      boolean both = counts.found() + counts.missed() > 0 && counts.wrong() + counts.rejected() > 0;
      QualityMetric used = metric == null && !both ? ACCURACY : metric;
      figures.add(
          new Figure(
              filter.id(),
              used == null ? "balanced accuracy" : used.label(),
              counts.filterScore(used),
              compared.documents()));
    }
  }

  /**
   * Whether a filter kept a document; null if that is not known. If several operators may drop
   * documents, only the journeys tell, also for documents with results: those without a result
   * would be missing else.
   */
  private @Nullable Boolean kept(SemanticFilter filter, boolean alone, String key, boolean label) {
    String failed = outcomes.failures().get(key);
    if (filter.id().equals(failed)) {
      return !label;
    }
    Map<String, Boolean> decisions = outcomes.decisions().get(key);
    if (decisions != null && decisions.containsKey(filter.id())) {
      return decisions.get(filter.id());
    }
    boolean known = alone && failed == null;
    return known ? Boolean.valueOf(outcomes.results().containsKey(key)) : null;
  }

  /** All filters keep a document together: compares documents with all labels. */
  private Compared together(List<SemanticFilter> filters) {
    Compared compared = Compared.NONE;
    for (Map.Entry<String, JsonNode> entry : labels.entrySet()) {
      String failed = outcomes.failures().get(entry.getKey());
      boolean ofFilter = filters.stream().anyMatch(filter -> filter.id().equals(failed));
      if ((failed == null || ofFilter)
          && !filters.isEmpty()
          && filters.stream().allMatch(filter -> entry.getValue().path(filter.id()).isBoolean())) {
        boolean keep =
            filters.stream().allMatch(filter -> entry.getValue().path(filter.id()).booleanValue());
        boolean kept = ofFilter ? !keep : outcomes.results().containsKey(entry.getKey());
        compared = compared.plus(kept, keep == kept);
      }
    }
    return compared;
  }
}
