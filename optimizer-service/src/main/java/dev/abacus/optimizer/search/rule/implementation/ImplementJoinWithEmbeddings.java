package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import java.util.List;

/**
 * A join that asks a model only where similarity does not settle it: model × embedder (paper,
 * section 4.1). The two thresholds are learnt while sampling.
 *
 * <pre>{@code
 *             similarity of the pair
 * join  ==>     below low: no   |   between: model m   |   above high: yes
 * }</pre>
 *
 * <p>Meaning is preserved: thresholds are set so that what they settle is right to a stated
 * precision and recall; what they get wrong shows in its quality.
 */
public final class ImplementJoinWithEmbeddings implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof ReferenceJoin
        || (operator instanceof StreamJoin join && join.condition() != null);
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.embeddingJoin(choices);
  }
}
