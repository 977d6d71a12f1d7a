package dev.abacus.optimizer.rule.implementation;

import dev.abacus.optimizer.rule.ImplementationRule.Choices;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.ArrayList;
import java.util.List;

/** Techniques with all combinations of their parameters; maps and filters share them. */
final class Techniques {

  private static final List<Integer> CHUNK_SIZES = List.of(1000, 2000, 4000);
  private static final List<Integer> CHUNKS = List.of(1, 2, 4);

  private Techniques() {}

  /** One per model. */
  static List<PhysicalOperator> modelSelection(Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    choices.models().forEach(model -> all.add(new PhysicalOperator.ModelSelection(model)));
    return all;
  }

  /** Chunk size in characters × number of chunks × model × embedder (paper, section 4.1). */
  static List<PhysicalOperator> reducedContext(Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String model : choices.models()) {
      for (String embedder : choices.embedders()) {
        for (int chunkSize : CHUNK_SIZES) {
          for (int k : CHUNKS) {
            all.add(new PhysicalOperator.ReducedContext(model, embedder, chunkSize, k));
          }
        }
      }
    }
    return all;
  }
}
