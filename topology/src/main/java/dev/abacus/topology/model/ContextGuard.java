package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;

/**
 * Rejects a prompt that exceeds the context of its model, before it is sent. The failure is
 * immediate, costs nothing and reports both sizes.
 */
public final class ContextGuard implements ModelClient {

  private final ModelClient next;
  private final ModelCatalogue catalogue;

  /** The client, guarded by the context sizes of the catalogue. */
  public ContextGuard(ModelClient next, ModelCatalogue catalogue) {
    this.next = next;
    this.catalogue = catalogue;
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    ModelCard card = catalogue.find(request.model());
    Integer output = request.options().maxOutputTokens();
    if (card != null) {
      long available = (long) card.contextTokens() - (output == null ? 0 : output);
      if (Tokens.upperBound(request) > available) {
        int tokens = Tokens.count(request);
        if (tokens > available) {
          return ModelAnswer.Failed.withoutCall(tooLong(card, tokens, available));
        }
      }
    }
    return next.call(request);
  }

  private static ModelFailure tooLong(ModelCard card, int tokens, long available) {
    return new ModelFailure.ContextTooLong(
        "the prompt has about %d tokens; model %s has room for %d"
            .formatted(tokens, card.name(), Math.max(0, available)));
  }
}
