package dev.abacus.topology.spending;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.token.TokenCounter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Upper bounds of the cost of calls that have not started: the tokens of the prompt, and the
 * longest of the latest answers of the model with a margin, at most the limit of the answer.
 * Thread-safe.
 */
final class CostEstimates {

  /** Output tokens of the first call of a model whose answers have no limit. */
  private static final long FIRST_OUTPUT = 1000;

  /** A call may cost this much more than the most expensive of the latest ones. */
  private static final double MARGIN = 1.2;

  /** Factor by which the influence of a call decreases with each later call. */
  private static final double DECAY = 0.998;

  private final TokenCounter tokens;
  private final ModelCatalogue catalogue;
  private final Map<String, Latest> models = new ConcurrentHashMap<>();

  /**
   * The latest calls of a model.
   *
   * @param output tokens of the longest answer
   * @param inputRatio input tokens that were charged, over those that were counted
   */
  private record Latest(double output, double inputRatio) {
    Latest and(Latest call) {
      return new Latest(
          Math.max(call.output, output * DECAY), Math.max(call.inputRatio, inputRatio * DECAY));
    }
  }

  CostEstimates(ModelCatalogue catalogue, TokenCounter tokens) {
    this.catalogue = catalogue;
    this.tokens = tokens;
  }

  /** Tokens of the prompt. */
  long input(ModelRequest request) {
    return tokens.count(request).high();
  }

  /** Tokens of texts to embed. */
  long input(String model, List<String> texts) {
    return texts.stream().mapToLong(text -> tokens.count(model, text).high()).sum();
  }

  /** An upper bound of a chat call. */
  Amount chat(ModelRequest request, long input) {
    Latest latest = models.get(request.model());
    ModelCard card = catalogue.find(request.model());
    double output = latest == null ? FIRST_OUTPUT : MARGIN * latest.output;
    Integer limit = request.options().maxOutputTokens();
    Integer ofCard = card == null ? null : card.maxOutputTokens();
    output = Math.min(output, limit == null ? Double.MAX_VALUE : limit);
    output = Math.min(output, ofCard == null ? Double.MAX_VALUE : ofCard);
    double ratio = latest == null ? MARGIN : MARGIN * Math.max(1, latest.inputRatio);
    Amount texts = amount(card, (long) Math.ceil(input * ratio), (long) Math.ceil(output));
    return card == null
        ? texts
        : texts.plus(Amount.of(card.surchargeOfSounds(tokens.ofSounds(request).high()), 0));
  }

  /** An upper bound of a call that embeds. */
  Amount embedding(String model, long input) {
    return amount(catalogue.find(model), (long) Math.ceil(input * MARGIN), 0);
  }

  private static Amount amount(@Nullable ModelCard card, long input, long output) {
    return Amount.of(card == null ? 0 : card.cost(input, 0, output), input + output);
  }

  /** Learns from the answer of a chat call whose prompt was not counted. */
  void learn(ModelRequest request, TokenCounts charged) {
    if (charged.output() > 0) {
      models.merge(request.model(), new Latest(charged.output(), 1), Latest::and);
    }
  }

  /** Learns from the tokens that a chat call was charged. */
  void learn(ModelRequest request, long input, TokenCounts charged) {
    if (charged.input() > 0 && input > 0) {
      models.merge(
          request.model(),
          new Latest(charged.output(), (double) charged.input() / input),
          Latest::and);
    }
  }
}
