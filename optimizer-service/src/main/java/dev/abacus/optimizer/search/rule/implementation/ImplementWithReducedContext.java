package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.ReducedContext;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayList;
import java.util.List;

/**
 * A map or filter over the most relevant chunks of its input (paper, section 4.1). Parameters:
 * model × embedder × chunk size in tokens × number of chunks.
 *
 * <pre>{@code
 *                   chunks of the input, at most c tokens each
 *                     |  embedder e: the k most similar to the task
 * map, filter  ==>    v
 *                   one call of model m over those k chunks
 * }</pre>
 *
 * <p>Preserves meaning: the task and the form of the answer stay the same. Information lost with
 * the other chunks lowers the measured quality.
 */
final class ImplementWithReducedContext implements ImplementationRule {

  private static final List<Integer> CHUNK_TOKENS = List.of(320, 640, 1280);
  private static final List<Integer> CHUNKS = List.of(1, 2, 4);

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String model : choices.models()) {
      for (String embedder : choices.embedders()) {
        for (int tokens : CHUNK_TOKENS) {
          for (int chunks : CHUNKS) {
            all.add(new ReducedContext(model, embedder, tokens, chunks));
          }
        }
      }
    }
    return all;
  }
}
