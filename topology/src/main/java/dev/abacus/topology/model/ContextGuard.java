package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;

/**
 * Stops a prompt that its model cannot take before it is sent, so that it fails at once, without
 * cost and with a message that says by how much.
 */
public final class ContextGuard implements ModelClient {

  private final ModelClient next;
  private final ModelCatalogue catalogue;

  /** Guards that client by the context sizes of this catalogue. */
  public ContextGuard(ModelClient next, ModelCatalogue catalogue) {
    this.next = next;
    this.catalogue = catalogue;
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    ModelCard card = catalogue.find(request.model());
    Integer output = request.maxOutputTokens();
    if (card != null) {
      long room = (long) card.contextTokens() - (output == null ? 0 : output);
      if (Tokens.atMost(request) > room) {
        int tokens = Tokens.count(request);
        if (tokens > room) {
          return new ModelAnswer.Failed(tooLong(card, tokens, room), 0, 0, 0);
        }
      }
    }
    return next.call(request);
  }

  private static ModelFailure tooLong(ModelCard card, int tokens, long room) {
    return new ModelFailure.ContextTooLong(
        "the prompt has about %d tokens; model %s has room for %d"
            .formatted(tokens, card.name(), Math.max(0, room)));
  }
}
