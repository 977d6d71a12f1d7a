package dev.abacus.topology.spending;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.topology.model.CallOutcome;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.WaitListener;
import dev.abacus.topology.model.token.TokenCounter;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Lets the model calls of a program start only if its account can afford them. The cost of a call
 * is reserved when admission lets it start, not while it waits for its model; so an outage reserves
 * no money. A call without money leaves admission and waits outside, so that it delays no other
 * program.
 */
public final class SpendingMeter {

  private final SpendingAccount account;
  private final CostEstimates estimates;

  /** A meter for the calls of an account. */
  public SpendingMeter(SpendingAccount account, ModelCatalogue catalogue, TokenCounter tokens) {
    this.account = account;
    this.estimates = new CostEstimates(catalogue, tokens);
  }

  /** Thrown through admission, which then gives the call's admission back. */
  private static final class UnaffordableException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Amount estimate;

    UnaffordableException(Amount estimate) {
      super("the spending cap is reached", null, false, false);
      this.estimate = estimate;
    }
  }

  /**
   * A client that calls within the cap.
   *
   * @param attempts makes single attempts
   * @param admission adds admission to a client
   */
  public ModelClient around(ModelClient attempts, UnaryOperator<ModelClient> admission) {
    ModelClient admitted =
        admission.apply(request -> {
          if (!account.isCapped()) {
            var answer = attempts.call(request);
            estimates.learn(request, answer.tokens());
            return answer;
          }
          long input = estimates.input(request);
          var answer = reserved(estimates.chat(request, input), () -> attempts.call(request));
          estimates.learn(request, input, answer.tokens());
          return answer;
        });
    return request -> affordable(() -> admitted.call(request));
  }

  /** An embedder that embeds within the cap; the parameters are as above. */
  public Embedder around(Embedder attempts, UnaryOperator<Embedder> admission) {
    String model = attempts.name();
    Embedder admitted =
        admission.apply(
            Embedder.of(
                model,
                texts -> {
                  if (!account.isCapped()) {
                    return attempts.embed(texts);
                  }
                  long input = estimates.input(model, texts);
                  return reserved(estimates.embedding(model, input), () -> attempts.embed(texts));
                }));
    return Embedder.of(model, texts -> affordable(() -> admitted.embed(texts)));
  }

  private <T extends CallOutcome<T>> T reserved(Amount estimate, CallOutcome.Attempt<T> attempt)
      throws InterruptedException {
    SpendingAccount.@Nullable Reservation reservation = account.reserve(estimate);
    if (reservation == null) {
      throw new UnaffordableException(estimate);
    }
    try {
      T outcome = attempt.run();
      reservation.book(Amount.of(outcome.cost(), outcome.tokens().total()));
      return outcome;
    } catch (InterruptedException e) {
      reservation.book(Amount.ZERO); // Only a call that was not sent yet is interrupted.
      throw e;
    } finally {
      reservation.bookAll();
    }
  }

  private <T> T affordable(CallOutcome.Attempt<T> call) throws InterruptedException {
    while (true) {
      try {
        return call.run();
      } catch (UnaffordableException e) {
        WaitListener listener = WaitListener.current();
        listener.waiting();
        try {
          account.await(e.estimate);
        } finally {
          listener.resumed();
        }
      }
    }
  }
}
