package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.deploy.evaluation.paper.OfflineSearch;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import java.util.List;

/**
 * A data plane that answers sample tasks from landscapes: the true means of the implementation,
 * with noise. The same seed, operator, implementation and example give the same observation.
 */
record LandscapeDataPlane(ExperimentSettings settings, long seed)
    implements OfflineSearch.DataPlane {

  @Override
  public List<Observation> sample(List<SampleTask> wave) {
    return wave.stream().map(this::observe).toList();
  }

  /** Number of model calls of a sample. */
  int calls(SampleTask task) {
    return arm(task).arm().models().size();
  }

  private LandscapeArm arm(SampleTask task) {
    return settings.landscape(task.operator().id()).arm(SimulatedArms.id(task.physical()));
  }

  private Observation observe(SampleTask task) {
    String operator = task.operator().id();
    OperatorEstimate value = settings.noise().sample(seed, operator, arm(task), task.exampleId());
    Document output =
        task.input()
            .with(task.operator().writtenFields().getFirst(), TextNode.valueOf(task.exampleId()));
    return Observation.of(task)
        .outcome(Observation.Outcome.KEPT)
        .outputs(List.of(output))
        .score(value.quality(), Observation.ScoredBy.LABEL)
        .cost(value.cost())
        .latency(value.latency())
        .build();
  }
}
