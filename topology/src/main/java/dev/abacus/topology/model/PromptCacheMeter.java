package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prices calls as if the endpoint had never seen their document before.
 *
 * <p>Endpoints charge less for the beginning of a prompt that they saw recently. Validation
 * examples are shown many times and live documents once, so the charged cost of samples would
 * underestimate a plan by a factor of up to four. This client keeps the discount only for tokens
 * that a live document would also get cached: the system message, which all documents share, and
 * the common prefix with an earlier call of the same run.
 *
 * <p>Each run of an implementation on an example has its own client. Latency is not corrected.
 */
public final class UncachedPricingModelClient implements ModelClient {

  private final ModelClient next;
  private final ModelCatalogue catalogue;

  /** The prompts of this run; also the lock of their list. */
  private final List<Prompt> prompts;

  private final DoubleAdder added;

  /** A prompt as one text, with the name of its model. */
  private record Prompt(String model, String text) {

    static Prompt of(ModelRequest request) {
      return new Prompt(
          request.model(),
          request.content().stream()
              .flatMap(part ->
                  part instanceof Content.Text(String text) ? Stream.of(text) : Stream.empty())
              .collect(Collectors.joining("\n", request.system(), "")));
    }

    int commonPrefix(Prompt other) {
      if (!model.equals(other.model)) {
        return 0;
      }
      int limit = Math.min(text.length(), other.text.length());
      int common = 0;
      while (common < limit && text.charAt(common) == other.text.charAt(common)) {
        common++;
      }
      return common;
    }
  }

  /** A client for one run, with the prices of the catalogue. */
  public UncachedPricingModelClient(ModelClient next, ModelCatalogue catalogue) {
    this(next, catalogue, new ArrayList<>(), new DoubleAdder());
  }

  private UncachedPricingModelClient(
      ModelClient next, ModelCatalogue catalogue, List<Prompt> prompts, DoubleAdder added) {
    this.next = next;
    this.catalogue = catalogue;
    this.prompts = prompts;
    this.added = added;
  }

  @Override
  public ModelClient detour(UnaryOperator<ModelClient> detour) {
    return new UncachedPricingModelClient(next.detour(detour), catalogue, prompts, added);
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    Prompt prompt = Prompt.of(request);
    int prefix = Math.max(request.system().length(), longestPrefix(prompt));
    ModelAnswer answer = next.call(request);
    ModelCard card = catalogue.find(request.model());
    if (card == null || !(answer instanceof ModelAnswer.Success success)) {
      return answer;
    }
    TokenCounts usage = success.tokens();
    double share = (double) prefix / Math.max(1, prompt.text.length());
    long discounted = Math.min(usage.cachedInput(), (long) Math.ceil(usage.input() * share));
    double difference =
        card.cost(usage.input(), discounted, usage.output())
            - card.cost(usage.input(), usage.cachedInput(), usage.output());
    added.add(difference);
    return success.after(difference, 0, 0);
  }

  /** USD by which the reported costs of this run exceed the charged costs. */
  public double added() {
    return added.sum();
  }

  /** Characters of the longest prefix that an earlier prompt shares; records the prompt. */
  private int longestPrefix(Prompt prompt) {
    synchronized (prompts) {
      int longest = prompts.stream().mapToInt(prompt::commonPrefix).max().orElse(0);
      prompts.add(prompt);
      return longest;
    }
  }
}
