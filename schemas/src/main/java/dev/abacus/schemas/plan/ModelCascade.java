package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireWithin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cheaper model answers every input; a classifier on its answer and on the log-probability of
 * that answer decides whether it counts. Another model answers the rest.
 *
 * @param proxy name of the cheaper model; it returns log-probabilities
 * @param target precision that the accepted answers must reach, in (0, 1)
 * @param classifier null until it is trained; until then the model answers every input
 */
@JsonTypeName("model-cascade")
public record ModelCascade(
    String proxy,
    String model,
    double target,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TrainedClassifier classifier)
    implements PhysicalOperator.Cascade {
  public ModelCascade {
    requireWithin("target", target, 0, 1);
  }

  @Override
  public ModelCascade with(TrainedClassifier trained) {
    return new ModelCascade(proxy, model, target, trained);
  }

  @Override
  public String features() {
    return ANSWER_OF + proxy;
  }

  @Override
  public List<String> featureModels() {
    return List.of(proxy);
  }

  @Override
  public String id() {
    return "model-cascade(%s,%s,target=%s)".formatted(proxy, model, target);
  }

  @Override
  public List<String> chatModels() {
    return List.of(proxy, model);
  }
}
