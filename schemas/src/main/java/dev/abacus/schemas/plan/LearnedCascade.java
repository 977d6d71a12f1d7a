package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireWithin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.jspecify.annotations.Nullable;

/**
 * A classifier on embeddings answers where it is confident; a model answers the rest.
 *
 * @param target precision that the classifier's own answers must reach, in (0, 1)
 * @param classifier null until it is trained; until then the model answers every input
 */
@JsonTypeName("learned-cascade")
public record LearnedCascade(
    String model,
    String embedder,
    double target,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TrainedClassifier classifier)
    implements PhysicalOperator.SingleModel, PhysicalOperator.Cascade {
  public LearnedCascade {
    requireWithin("target", target, 0, 1);
  }

  @Override
  public LearnedCascade with(TrainedClassifier trained) {
    return new LearnedCascade(model, embedder, target, trained);
  }

  @Override
  public String features() {
    return embedder;
  }

  @Override
  public String id() {
    return "learned-cascade(%s,%s,target=%s)".formatted(model, embedder, target);
  }
}
