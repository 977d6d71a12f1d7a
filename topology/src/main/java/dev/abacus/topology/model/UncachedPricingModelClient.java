package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prices calls as if their document had never been shown to the endpoint before.
 *
 * <p>Endpoints bill the beginning of a prompt at a discount if they saw it lately. An example that
 * many implementations are tried on is billed so nearly always, a live document never: what samples
 * are billed would make plans look up to four times cheaper than they are. So of the tokens that
 * came out of the cache only those keep the discount that a live document would have, too: the
 * system message, which all documents share, and what an earlier call of this very run began with.
 *
 * <p>One for each run of an implementation on an example. Latency is taken as it comes; nobody
 * tells what it would have been.
 */
public final class UncachedPricingModelClient implements ModelClient {

  private final ModelClient next;
  private final ModelCatalogue catalogue;
  private final List<Shown> shown;
  private final DoubleAdder added;

  /** What a model was shown: its name and all text of the prompt. */
  private record Shown(String model, String text) {

    static Shown of(ModelRequest request) {
      return new Shown(
          request.model(),
          request.content().stream()
              .flatMap(part ->
                  part instanceof Content.Text(String text) ? Stream.of(text) : Stream.empty())
              .collect(Collectors.joining("\n", request.system(), "")));
    }

    int common(Shown other) {
      if (!model.equals(other.model)) {
        return 0;
      }
      int most = Math.min(text.length(), other.text.length());
      int common = 0;
      while (common < most && text.charAt(common) == other.text.charAt(common)) {
        common++;
      }
      return common;
    }
  }

  /** Prices the calls of one run, by the prices of that catalogue. */
  public UncachedPricingModelClient(ModelClient next, ModelCatalogue catalogue) {
    this(next, catalogue, new ArrayList<>(), new DoubleAdder());
  }

  private UncachedPricingModelClient(
      ModelClient next, ModelCatalogue catalogue, List<Shown> shown, DoubleAdder added) {
    this.next = next;
    this.catalogue = catalogue;
    this.shown = shown;
    this.added = added;
  }

  @Override
  public ModelClient detour(UnaryOperator<ModelClient> detour) {
    return new UncachedPricingModelClient(next.detour(detour), catalogue, shown, added);
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    Shown prompt = Shown.of(request);
    int familiar = Math.max(request.system().length(), familiar(prompt));
    ModelAnswer answer = next.call(request);
    ModelCard card = catalogue.find(request.model());
    if (card == null || !(answer instanceof ModelAnswer.Success success)) {
      return answer;
    }
    Usage usage = success.usage();
    long kept =
        Math.min(
            usage.cachedInput(),
            (long)
                Math.ceil((double) usage.input() * familiar / Math.max(1, prompt.text.length())));
    double lost =
        card.cost(usage.input(), kept, usage.output())
            - card.cost(usage.input(), usage.cachedInput(), usage.output());
    added.add(lost);
    return success.after(lost, 0, 0);
  }

  /** USD by which the costs that it told exceed what was billed. */
  public double added() {
    return added.sum();
  }

  /** How many characters at the beginning this run has shown that model before; remembers it. */
  private int familiar(Shown prompt) {
    synchronized (shown) {
      int familiar = shown.stream().mapToInt(prompt::common).max().orElse(0);
      shown.add(prompt);
      return familiar;
    }
  }
}
