package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.estimate.Evidence;
import dev.abacus.optimizer.estimate.EvidenceSource;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Another kind of evidence: outputs of live documents whose right results are known.
 *
 * @param scores of live documents by model, in order of the documents
 */
record CorrectedOutputs(String operator, Map<String, List<Double>> scores)
    implements EvidenceSource {

  @Override
  public Collection<Evidence> of(LogicalOperator of) {
    return of.id().equals(operator)
        ? scores.keySet().stream().sorted().flatMap(model -> evidence(model).stream()).toList()
        : List.of();
  }

  private List<Evidence> evidence(String model) {
    ModelSelection physical = new ModelSelection(model);
    List<Double> ofModel = scores.getOrDefault(model, List.of());
    return IntStream.range(0, ofModel.size())
        .mapToObj(i ->
            new Evidence(
                physical,
                Observation.builder(
                        "live-" + model + "-" + i,
                        TestPrograms.NAME,
                        operator,
                        physical.id(),
                        "document-" + i)
                    .quality(ofModel.get(i))
                    .scoredBy(Observation.ScoredBy.LABEL)
                    .cost(0.003)
                    .latency(1)
                    .build(),
                null,
                1,
                false,
                null))
        .toList();
  }
}
