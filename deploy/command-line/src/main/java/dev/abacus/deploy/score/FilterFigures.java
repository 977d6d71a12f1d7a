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

  /** Number of documents that were compared with labels. */
  private static int documents(MatchCounts compared) {
    return (int) (compared.found() + compared.wrong() + compared.missed() + compared.rejected());
  }

  private static MatchCounts decision(boolean kept, boolean label) {
    return MatchCounts.ofDecision(kept, kept == label ? 1 : 0);
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
    MatchCounts together = together(filters);
    int documents = documents(together);
    if (documents > 0) {
      String ids = String.join("+", filters.stream().map(SemanticFilter::id).toList());
      figures.add(new Figure(ids, "agreement", together.score(ACCURACY), documents, false));
      figures.add(
          new Figure(
              ids, "f1 of kept", together.score(new QualityMetric.SetF1()), documents, false));
    }
  }

  private void add(SemanticFilter filter, List<Figure> figures, List<Unscored> unscored) {
    QualityMetric metric = program.validation().metric(filter.id());
    boolean alone = new ProgramFlow(program).isOnlyDropper(filter);
    boolean labelled = false;
    MatchCounts counts = MatchCounts.NONE;
    for (Map.Entry<String, JsonNode> entry : labels.entrySet()) {
      JsonNode label = entry.getValue().path(filter.id());
      if (label.isBoolean()) {
        labelled = true;
        Boolean kept = kept(filter, alone, entry.getKey(), label.booleanValue());
        if (kept != null) {
          counts = counts.plus(decision(kept, label.booleanValue()));
        }
      }
    }
    if (metric instanceof QualityMetric.Judge) {
      unscored.add(new Unscored(filter.id(), Unscored.BY_JUDGE));
    } else if (!labelled) {
      unscored.add(new Unscored(filter.id(), Unscored.NO_LABELS));
    } else if (counts.equals(MatchCounts.NONE)) {
      unscored.add(
          new Unscored(
              filter.id(), alone ? "no labelled document has an outcome" : Unscored.NO_JOURNEYS));
    } else {
      boolean both = counts.found() + counts.missed() > 0 && counts.wrong() + counts.rejected() > 0;
      QualityMetric used = metric == null && !both ? ACCURACY : metric;
      figures.add(
          new Figure(
              filter.id(),
              used == null ? "balanced accuracy" : used.label(),
              counts.filterScore(used),
              documents(counts)));
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
  private MatchCounts together(List<SemanticFilter> filters) {
    MatchCounts counts = MatchCounts.NONE;
    for (Map.Entry<String, JsonNode> entry : labels.entrySet()) {
      String failed = outcomes.failures().get(entry.getKey());
      boolean ofFilter = filters.stream().anyMatch(filter -> filter.id().equals(failed));
      if ((failed == null || ofFilter)
          && !filters.isEmpty()
          && filters.stream().allMatch(filter -> entry.getValue().path(filter.id()).isBoolean())) {
        boolean keep =
            filters.stream().allMatch(filter -> entry.getValue().path(filter.id()).booleanValue());
        boolean kept = ofFilter ? !keep : outcomes.results().containsKey(entry.getKey());
        counts = counts.plus(decision(kept, keep));
      }
    }
    return counts;
  }
}
