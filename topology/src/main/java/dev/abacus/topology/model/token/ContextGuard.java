package dev.abacus.topology.model.token;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;

/**
 * Rejects a prompt that certainly exceeds the context of its model, before it is sent. The failure
 * is immediate, costs nothing and reports both sizes. Where the tokens are an estimate and the
 * prompt may fit, the endpoint decides.
 */
public final class ContextGuard implements ModelClient {

  private final ModelClient next;
  private final TokenCounter tokens;

  /** The client, guarded by the context sizes of the counter's catalogue. */
  public ContextGuard(ModelClient next, TokenCounter tokens) {
    this.next = next;
    this.tokens = tokens;
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    ModelCard card = tokens.catalogue().find(request.model());
    Integer output = request.options().maxOutputTokens();
    if (card != null) {
      long available = (long) card.contextTokens() - (output == null ? 0 : output);
      if (tokens.bound(request) > available) {
        TokenCount count = tokens.count(request);
        if (count.low() > available) {
          return ModelAnswer.Failed.withoutCall(tooLong(card, count, available));
        }
      }
    }
    return next.call(request);
  }

  private static ModelFailure tooLong(ModelCard card, TokenCount count, long available) {
    return new ModelFailure.ContextTooLong(
        "the prompt has %s%d tokens; model %s has room for %d"
            .formatted(
                count.isExact() ? "" : "at least ",
                count.low(),
                card.name(),
                Math.max(0, available)));
  }
}
