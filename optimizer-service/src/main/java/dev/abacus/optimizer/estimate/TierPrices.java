package dev.abacus.optimizer.estimate;

import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.observation.Observation;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What service tiers make of the cost of an implementation. Its calls are the same at each tier,
 * and an observation states what they cost at each by the price list. So a cost seen at one tier is
 * one at the others too:
 *
 * <pre>
 *   cost at a tier = cost at the standard tier · price · charged
 * </pre>
 *
 * <p>The price is that of the calls at the tier ÷ at the standard tier, over all observations of
 * the implementation at whatever tier; before there are any, over those of the operator. What is
 * charged is more than the price of the tier if it had no capacity and calls were made at the
 * standard tier; that is the tier's, so all implementations there have it in common.
 */
public final class TierPrices {

  private static final List<String> TIERS = ServiceTier.all();

  /** Sums of USD. */
  private static final class Sums {
    private double charged;
    private final Map<String, Double> atTiers = new HashMap<>();

    void add(Observation seen) {
      charged += seen.cost();
      TIERS.forEach(tier -> atTiers.merge(tier, seen.costAt(tier), Double::sum));
    }

    double at(String tier) {
      return atTiers.getOrDefault(tier, 0.0);
    }
  }

  private final Sums all = new Sums();
  private final Map<String, Sums> byAnswers = new HashMap<>();
  private final Map<String, Sums> byTier = new HashMap<>();

  private TierPrices() {}

  /** The prices by what was seen of an operator. */
  public static TierPrices of(Collection<Observation> observations) {
    TierPrices prices = new TierPrices();
    for (Observation seen : observations) {
      String id = seen.physical();
      prices.all.add(seen);
      prices.byAnswers.computeIfAbsent(ServiceTier.withoutTiers(id), _ -> new Sums()).add(seen);
      prices.byTier.computeIfAbsent(ServiceTier.in(id), _ -> new Sums()).add(seen);
    }
    return prices;
  }

  /** The cost of an implementation ÷ that of the same calls at the standard tier. */
  public double of(String implementation) {
    String tier = ServiceTier.in(implementation);
    if (tier.equals(ServiceTier.STANDARD)) {
      return 1;
    }
    Sums own = byAnswers.getOrDefault(ServiceTier.withoutTiers(implementation), all);
    Sums sampled = byTier.getOrDefault(tier, all);
    double charged = sampled == all ? 1 : ratio(sampled.charged, sampled.at(tier));
    return ratio(own.at(tier), own.at(ServiceTier.STANDARD)) * charged;
  }

  /** What an observed cost is multiplied by to be the expected one of its implementation. */
  double factor(Observation seen) {
    return seen.atTiers().getOrDefault(ServiceTier.STANDARD, 1.0) * of(seen.physical());
  }

  private static double ratio(double usd, double of) {
    return of > 0 && usd > 0 ? usd / of : 1;
  }
}
