package dev.abacus.optimizer.estimate;

import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.control.CacheCounts;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the prompt caches of providers take off the cost of live documents. A sample costs what a
 * document would cost without others, and states the part of it that is not charged if the provider
 * has cached what the prompts of all documents have in common:
 *
 * <pre>
 *   cost of a live document = cost of the sample − hit rate · part of the sample
 * </pre>
 *
 * <p>The hit rate of live documents is not that of samples: it depends on how often they come. So
 *
 * <ul>
 *   <li>an implementation that was active costs less by the share that was counted on its live
 *       documents, whatever the reason;
 *   <li>others have the hit rate of the active one, because the same documents come as often,
 *       unless their model has not cached their samples either;
 *   <li>before there are counts, the hit rate is that of the samples with the same model. The first
 *       sample of each implementation finds nothing.
 * </ul>
 */
final class PromptCaches {

  /** Jeffreys prior of a rate: this many samples or documents. */
  private static final double PRIOR = 0.5;

  /**
   * A hit rate.
   *
   * @param mean in [0, 1]
   * @param deviation standard deviation
   */
  private record Rate(double mean, double deviation) {

    static Rate of(double hits, double trials) {
      double mean = (hits + PRIOR) / (trials + 2 * PRIOR);
      return new Rate(mean, Math.sqrt(mean * (1 - mean) / (trials + 2)));
    }
  }

  /** What the samples of some implementations tell. */
  private static final class Sums {
    private final Set<String> implementations = new HashSet<>();
    private int samples;
    private double hits;
    private double cost;
    private double prefix;

    void add(Evidence evidence) {
      cost += evidence.seen().cost();
      Observation.Prefix shared = evidence.seen().prefix();
      if (shared != null && shared.usd() > 0) {
        implementations.add(evidence.physical().id());
        samples++;
        hits += shared.savedUsd() / shared.usd();
        prefix += shared.usd();
      }
    }

    /** The part of the cost that may be cached. */
    double part() {
      return cost > 0 ? Math.min(1, prefix / cost) : 0;
    }

    /** Number of samples that are not the first of their implementation. */
    int repeated() {
      return samples - implementations.size();
    }

    Rate rate() {
      return Rate.of(hits, Math.max(hits, repeated()));
    }
  }

  /** By implementation, without service tiers. */
  private final Map<String, CacheCounts> counted = new HashMap<>();

  private final Map<String, Sums> byImplementation = new HashMap<>();
  private final Map<String, Sums> byModel = new HashMap<>();

  /** The hit rate of live documents; null if it was not counted. */
  private final @Nullable Rate live;

  PromptCaches(OperatorContext context, List<Evidence> evidence) {
    context
        .caches()
        .values()
        .forEach(counts ->
            counted.merge(
                ServiceTier.withoutTiers(counts.implementation()),
                counts,
                (one, other) -> one.documents() >= other.documents() ? one : other));
    for (Evidence one : evidence) {
      byImplementation.computeIfAbsent(one.answering(), _ -> new Sums()).add(one);
      byModel.computeIfAbsent(model(one.physical()), _ -> new Sums()).add(one);
    }
    this.live = live();
  }

  /** The model of the first call; empty if there is none. */
  private static String model(PhysicalOperator physical) {
    return physical.chatModels().isEmpty()
        ? ""
        : ServiceTier.standard(physical.chatModels().getFirst());
  }

  private @Nullable Rate live() {
    Rate best = null;
    long most = 0;
    for (CacheCounts counts : counted.values()) {
      double part = part(counts.implementation());
      if (part > 0 && counts.documents() > most) {
        most = counts.documents();
        best = Rate.of(Math.min(1, counts.share() / part) * most, (double) most);
      }
    }
    return best;
  }

  private double part(String implementation) {
    Sums sums = byImplementation.get(ServiceTier.withoutTiers(implementation));
    return sums == null ? 0 : sums.part();
  }

  private Rate rate(PhysicalOperator physical) {
    Sums samples = byModel.get(model(physical));
    Rate seen = samples == null ? Rate.of(0, 0) : samples.rate();
    boolean never = samples != null && samples.hits == 0 && samples.repeated() > 0;
    return live == null || never ? seen : live;
  }

  /**
   * The cost of a live document.
   *
   * @param cost of the sample in USD, in a batch of the expected size
   * @param batch size of the sample's batch ÷ expected size
   */
  double cost(Evidence evidence, double cost, double batch) {
    CacheCounts own = counted.get(evidence.answering());
    if (own != null) {
      return cost * (1 - own.share());
    }
    Observation.Prefix shared = evidence.seen().prefix();
    return shared == null
        ? cost
        : Math.max(0, cost - rate(evidence.physical()).mean() * batch * shared.usd());
  }

  /** The part of the cost of an implementation that caches leave, in [0, 1]. */
  double left(PhysicalOperator physical) {
    CacheCounts own = counted.get(ServiceTier.withoutTiers(physical.id()));
    return 1 - (own != null ? own.share() : rate(physical).mean() * part(physical.id()));
  }

  /** The error of the logarithm of the cost of an implementation. */
  Loadings error(PhysicalOperator physical, String operator) {
    CacheCounts own = counted.get(ServiceTier.withoutTiers(physical.id()));
    double part = part(physical.id());
    double left = left(physical);
    if (left <= 0) {
      return Loadings.NONE;
    }
    double deviation =
        own == null
            ? part * rate(physical).deviation()
            : Math.sqrt(
                own.share()
                    * Math.max(0, Math.max(part, own.share()) - own.share())
                    / Math.max(1, own.documents()));
    return Loadings.of(new RandomEffect(Kind.CACHE, operator, ""), deviation / left);
  }
}
