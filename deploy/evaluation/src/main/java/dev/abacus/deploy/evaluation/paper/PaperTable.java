package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The tables of the paper's evaluation that are reproduced: which searches are compared. */
enum PaperTable {
  QUALITY("Maximize quality (the paper's Table 2)", Dimension.QUALITY),
  CHEAP("Minimize cost, minimize latency (the paper's Table 3)", Dimension.COST, Dimension.LATENCY);

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Dimension> targets;

  PaperTable(String title, Dimension... targets) {
    this.title = title;
    this.targets = List.of(targets);
  }

  String title() {
    return title;
  }

  /**
   * Runs the searches of this table over one data set.
   *
   * @param samples samples per semantic operator
   */
  List<SearchResult> run(SearchTrials trials, Collection<PolicyName> policies, int samples) {
    List<SearchResult> results = new ArrayList<>();
    for (Dimension target : targets) {
      for (PolicyName policy : policies) {
        results.add(
            trials.result(new SearchSetup(policy, new Objective(target, List.of()), samples)));
      }
    }
    return results;
  }
}
