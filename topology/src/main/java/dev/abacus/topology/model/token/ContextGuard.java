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
 *
 * <p>Some servers (Ollama) cut a prompt that exceeds their context without an error. So an answer
 * whose usage reports much less input than the texts of the prompt certainly have is a failure too:
 * the model has not read the whole document.
 */
public final class ContextGuard implements ModelClient {

  /** Least tokens of a prompt for the comparison with the reported usage. */
  private static final int LEAST_COMPARED = 1_000;

  /** Part of the tokens that a server which reads the whole prompt reports at least. */
  private static final double READ = 0.9;

  /** Characters per token beyond which a prompt is counted: few texts have as many. */
  private static final double SUSPICIOUS = 5.5;

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
    ModelAnswer answer = next.call(request);
    return card != null && answer instanceof ModelAnswer.Success success
        ? unlessCut(card, request, success)
        : answer;
  }

  private ModelAnswer unlessCut(ModelCard card, ModelRequest request, ModelAnswer.Success success) {
    // Usage is the sum over attempts, so several attempts can only hide that a prompt was cut.
    long read = success.tokens().input();
    if (read == 0
        || success.tokens().estimated() > 0
        || tokens.bound(request) < Math.max(LEAST_COMPARED, SUSPICIOUS * read)) {
      return success;
    }
    long least = tokens.leastOfTexts(request);
    return least < LEAST_COMPARED || read >= READ * least
        ? success
        : new ModelAnswer.Failed(
            new ModelFailure.ContextTooLong(
                "model %s read %d of at least %d tokens of the prompt: the server cuts long prompts without an error; raise its context (Ollama: OLLAMA_CONTEXT_LENGTH), and state it as contextTokens of the card"
                    .formatted(card.name(), read, least)),
            success.tokens(),
            success.cost(),
            success.latency(),
            success.attempts());
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
