package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import java.util.ArrayList;
import java.util.List;

/**
 * A join that asks a model only about pairs that their similarity does not decide (paper, section
 * 4.1). Parameters: model × embedder. Sampling learns the two thresholds.
 *
 * <pre>{@code
 *           similarity of the pair
 * join ==>    below low: no   |   between: model m   |   above high: yes
 * }</pre>
 *
 * <p>Preserves meaning: the thresholds are chosen for a stated precision and recall. Wrong
 * decisions lower the measured quality.
 */
final class ImplementJoinWithEmbeddings implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof ReferenceJoin
        || (operator instanceof StreamJoin join && join.condition() != null);
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String model : choices.models()) {
      for (String embedder : choices.embedders()) {
        all.add(new EmbeddingJoin(model, embedder, null, null));
      }
    }
    return all;
  }
}
