package dev.abacus.topology.sample;

import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.topology.model.CallDecorator;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.operator.OperatorFailure.ModelFailed;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the first {@linkplain ModelFailure#isProviderFault() provider fault} of one sample.
 * Techniques may answer without a model that fails, such as a proposer of a mixture. Such an answer
 * does not measure the technique.
 */
final class ProviderFaults implements CallDecorator {

  private final AtomicReference<@Nullable ModelFailed> first = new AtomicReference<>();

  @Override
  public ModelAnswer call(ModelClient next, ModelRequest request) throws InterruptedException {
    ModelAnswer answer = next.call(request);
    ModelFailure failure = answer.failure();
    if (failure != null && failure.isProviderFault()) {
      first.compareAndSet(null, new ModelFailed(request.model(), failure));
    }
    return answer;
  }

  /** The first provider fault; null if there was none. */
  @Nullable ModelFailed first() {
    return first.get();
  }

  /** The state of a model after a provider fault. */
  static ModelState state(ModelFailure fault) {
    return switch (fault) {
      case ModelFailure.UnknownModel _ -> ModelState.MISSING;
      case ModelFailure.AuthenticationFailed _ -> ModelState.NO_KEY;
      case ModelFailure _ -> ModelState.UNREACHABLE;
    };
  }
}
