package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.catalogue.TokenCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells what the prompts of other documents save a document: providers charge less for the
 * beginning of a prompt that they saw recently. What the calls of one document share with each
 * other is its own, and part of its cost.
 *
 * <p>How much others save depends on how often and how regularly they come, so samples, which
 * repeat the same examples within minutes, do not tell it of live documents. A sample is priced as
 * if there were no others, and states what its prompts have in common with them; live documents
 * keep their price, and are counted.
 *
 * <p>Each run of an implementation on a document has its own. Latency is not corrected.
 */
public final class PromptCacheMeter implements CallDecorator {

  /**
   * The prompts of a run with which later ones are compared. A run with more calls asks about pairs
   * or chunks, whose prompts begin alike. Without a bound, the time of a document would grow with
   * the square of its calls, and each prompt would stay in memory until its end.
   */
  private static final int MOST = 16;

  private final ModelCatalogue catalogue;
  private final @Nullable ToLongBiFunction<ModelRequest, ModelAnswer.Success> shared;

  /** Also the lock of the list. */
  private final List<Prompt> prompts = new ArrayList<>();

  private final DoubleAdder saved = new DoubleAdder();
  private final DoubleAdder prefix = new DoubleAdder();
  private final DoubleAdder prefixSaved = new DoubleAdder();
  private final TierCosts tiers = new TierCosts();

  /** What calls cost, and what they cost at each service tier. */
  private static final class TierCosts {
    private final Set<String> tiers = new HashSet<>();
    private final Map<String, Double> sums = new HashMap<>();
    private double charged;

    /**
     * Adds a call.
     *
     * @param usd its cost
     * @param at its cost at each tier of its model, empty for a model without tiers
     */
    synchronized void add(double usd, Map<String, Double> at) {
      charged += usd;
      tiers.addAll(at.keySet());
      double standard = at.getOrDefault(ServiceTier.STANDARD, usd);
      for (String tier : ServiceTier.all()) {
        sums.merge(tier, at.getOrDefault(tier, standard), Double::sum);
      }
    }

    synchronized Map<String, Double> ratios() {
      Map<String, Double> ratios = new HashMap<>(sums);
      ratios.keySet().retainAll(charged > 0 ? tiers : Set.of());
      ratios.replaceAll((_, usd) -> usd / charged);
      return ratios;
    }
  }

  /** A prompt as one text, with the name of its model. */
  private record Prompt(String model, String text) {

    static Prompt of(ModelRequest request) {
      return new Prompt(
          request.model(), request.texts().collect(Collectors.joining("\n", request.system(), "")));
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

  private PromptCacheMeter(
      ModelCatalogue catalogue,
      @Nullable ToLongBiFunction<ModelRequest, ModelAnswer.Success> shared) {
    this.catalogue = catalogue;
    this.shared = shared;
  }

  /** The meter of a live document: answers keep their cost. */
  public static PromptCacheMeter ofLive(ModelCatalogue catalogue) {
    return new PromptCacheMeter(catalogue, null);
  }

  /**
   * The meter of a sample: answers cost what they would without other documents.
   *
   * @param shared tokens that an answered request shares with prompts about other documents, as far
   *     as providers cache them
   */
  public static PromptCacheMeter ofSample(
      ModelCatalogue catalogue, ToLongBiFunction<ModelRequest, ModelAnswer.Success> shared) {
    return new PromptCacheMeter(catalogue, shared);
  }

  @Override
  public ModelAnswer call(ModelClient next, ModelRequest request) throws InterruptedException {
    Prompt prompt = Prompt.of(request);
    int repeated = longestPrefix(prompt);
    ModelAnswer answer = next.call(request);
    ModelCard card = catalogue.find(request.model());
    if (card == null || !(answer instanceof ModelAnswer.Success success)) {
      return answer;
    }
    TokenCounts usage = success.tokens();
    double share = (double) repeated / Math.max(1, prompt.text.length());
    long own = Math.min(usage.cachedInput(), (long) Math.ceil(usage.input() * share));
    double discount = discount(card, usage.cachedInput() - own);
    saved.add(discount);
    if (shared == null) {
      return answer;
    }
    double most = discount(card, Math.max(0, shared.applyAsLong(request, success) - own));
    prefix.add(most);
    prefixSaved.add(Math.min(most, discount));
    ModelAnswer alone = success.after(new ExecutionStats(discount, 0, 0));
    tiers.add(
        alone.cost(),
        catalogue.costAtTiers(request.model(), TokenCounts.of(usage.input(), own, usage.output())));
    return alone;
  }

  /**
   * What the calls of a sample cost at each service tier ÷ what they cost.
   *
   * @return by the text of the tier; empty if no model that was called has tiers
   */
  public Map<String, Double> atTiers() {
    return tiers.ratios();
  }

  /** Characters of the longest prefix that an earlier prompt shares; may record the prompt. */
  private int longestPrefix(Prompt prompt) {
    synchronized (prompts) {
      int longest = prompts.stream().mapToInt(prompt::commonPrefix).max().orElse(0);
      if (prompts.size() < MOST) {
        prompts.add(prompt);
      }
      return longest;
    }
  }

  /** USD by which tokens are cheaper if they are cached. */
  private static double discount(ModelCard card, long tokens) {
    return Math.max(0, card.cost(tokens, 0, 0) - card.cost(tokens, tokens, 0));
  }

  /** USD that were not charged because of prompts about other documents, or earlier runs. */
  public double saved() {
    return saved.sum();
  }

  /** USD that are not charged if what a sample shares with other documents is cached. */
  public double prefix() {
    return prefix.sum();
  }

  /** The part of {@link #prefix} that was not charged. */
  public double prefixSaved() {
    return prefixSaved.sum();
  }
}
