package dev.abacus.deploy.evaluation.bench;

import dev.abacus.optimizer.search.cascades.NamedPlanSearch;
import dev.abacus.optimizer.search.cascades.NamedSearchResult;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;

/**
 * A search that is ready to be timed.
 *
 * @param estimates by logical operator id
 */
record SearchCase(Program program, Map<String, List<Candidate>> estimates, Objective objective) {

  NamedSearchResult search() {
    return NamedPlanSearch.search(program, estimates, objective, SearchOptions.DEFAULT);
  }
}
