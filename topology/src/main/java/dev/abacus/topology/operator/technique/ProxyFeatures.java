package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.prompt.Execution;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import dev.abacus.topology.operator.technique.CascadeExecutor.FeatureSource;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a cheaper model and the logit of its probability: for each class, whether it is the
 * answer, and if so the logit. A linear classifier on them calibrates the probability for each
 * class (Platt scaling).
 *
 * <p>There are no features if the endpoint returns no log-probabilities or the answer is none of
 * the classes.
 *
 * @param proxy name of the cheaper model
 */
record ProxyFeatures(String proxy) implements FeatureSource {

  /** Log-probabilities are rounded, so a probability beyond this means nothing. */
  private static final double ALMOST_CERTAIN = 1 - 1e-6;

  @Override
  public float[] of(SemanticCall<?> call, AnswerClasses classes)
      throws InterruptedException, OperatorFailedException {
    return of(call, new Recorder(call.execution().client()), classes);
  }

  private <A> float[] of(SemanticCall<A> call, Recorder client, AnswerClasses classes)
      throws InterruptedException, OperatorFailedException {
    StructuredAnswer<A> answer = StructuredCall.ask(client, proxy, call.prompt());
    call.execution().add(answer.stats());
    Map.Entry<String, JsonNode> field =
        call.operator().json(Execution.valid(proxy, answer)).properties().iterator().next();
    JsonNode said = classes.find(field.getValue());
    Double probability = AnswerProbability.of(Objects.requireNonNull(client.last), field.getKey());
    if (said == null || probability == null) {
      throw OperatorFailedException.unusablePlan(
          "model " + proxy + " returned no log-probability of its answer");
    }
    return vector(classes.values().indexOf(said), probability, classes);
  }

  private static float[] vector(int answer, double probability, AnswerClasses classes) {
    double bounded = Math.clamp(probability, 1 - ALMOST_CERTAIN, ALMOST_CERTAIN);
    float[] vector = new float[2 * classes.values().size()];
    vector[2 * answer] = 1;
    vector[2 * answer + 1] = (float) StrictMath.log(bounded / (1 - bounded));
    return vector;
  }

  /** Asks for log-probabilities and keeps the last answer. Used by one thread. */
  private static final class Recorder implements ModelClient {

    private final ModelClient next;
    private ModelAnswer.@Nullable Success last;

    Recorder(ModelClient next) {
      this.next = next;
    }

    @Override
    public ModelAnswer call(ModelRequest request) throws InterruptedException {
      ModelAnswer answer = next.call(request.withLogprobs());
      if (answer instanceof ModelAnswer.Success success) {
        last = success;
      }
      return answer;
    }

    @Override
    public void discard(ModelRequest request) {
      next.discard(request.withLogprobs());
    }

    @Override
    public ModelClient detour(UnaryOperator<ModelClient> detour) {
      return new Recorder(next.detour(detour));
    }
  }
}
