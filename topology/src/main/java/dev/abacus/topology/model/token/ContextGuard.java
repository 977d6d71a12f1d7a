package dev.abacus.topology.model.token;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Rejects a prompt that certainly exceeds the context of its model, before it is sent. The failure
 * is immediate, costs nothing and reports both sizes. Where the tokens are an estimate and the
 * prompt may fit, the endpoint decides.
 *
 * <p>Some servers (Ollama) cut a prompt that exceeds their context without an error. So an answer
 * whose usage reports much less input than the texts of the prompt certainly have is a failure too:
 * the model has not read the whole document. A server that read a longer prompt to its end in the
 * last minute does not cut this one, so the tokens of most prompts need not be counted.
 */
public final class ContextGuard implements ModelClient {

  /** Least tokens of a prompt for the comparison with the reported usage. */
  private static final int LEAST_COMPARED = 1_000;

  /** Part of the tokens that a server which reads the whole prompt reports at least. */
  private static final double READ = 0.9;

  /** Time after which a server may have another context. */
  private static final Duration TRUSTED = Duration.ofMinutes(1);

  private final ModelClient next;
  private final TokenCounter tokens;
  private final InstantSource clock;

  /** The longest prompt that each model read to its end. */
  private final Map<String, Whole> longest = new ConcurrentHashMap<>();

  private record Whole(long tokens, Instant at) {}

  /** The client, guarded by the context sizes of the counter's catalogue. */
  public ContextGuard(ModelClient next, TokenCounter tokens) {
    this(next, tokens, InstantSource.system());
  }

  ContextGuard(ModelClient next, TokenCounter tokens, InstantSource clock) {
    this.next = next;
    this.tokens = tokens;
    this.clock = clock;
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
    if (card != null && tokens.boundOfTexts(request) >= LEAST_COMPARED) {
      // Not when the answer is paid for: it has no receipt before it leaves here.
      tokens.load(request.model());
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
        || tokens.boundOfTexts(request) < LEAST_COMPARED
        || readMore(card.name(), read)) {
      return success;
    }
    long least = tokens.leastOfTexts(request);
    if (least < LEAST_COMPARED) {
      return success;
    }
    if (read >= READ * least) {
      if (success.attempts() == 1) {
        remember(card.name(), new Whole(read, clock.instant()));
      }
      return success;
    }
    return new ModelAnswer.Failed(
        new ModelFailure.ContextTooLong(
            "model %s read %d of at least %d tokens of the prompt: the server cuts long prompts without an error; raise its context (Ollama: OLLAMA_CONTEXT_LENGTH), and state it as contextTokens of the card"
                .formatted(card.name(), read, least)),
        success.stats());
  }

  /** Whether the model lately read more tokens of a prompt, to its end. */
  private boolean readMore(String model, long read) {
    Whole whole = longest.get(model);
    return whole != null && read < whole.tokens() && isTrusted(whole, clock.instant());
  }

  private void remember(String model, Whole read) {
    longest.merge(
        model,
        read,
        (former, latest) ->
            former.tokens() > latest.tokens() && isTrusted(former, latest.at()) ? former : latest);
  }

  private static boolean isTrusted(Whole whole, Instant now) {
    return now.isBefore(whole.at().plus(TRUSTED));
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
