package dev.abacus.optimizer.estimate;

import dev.abacus.optimizer.estimate.Estimator.ScoreVariance;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The evidence of an operator with what it says about its implementations.
 *
 * <p>Evidence may stand for unequal numbers of live documents: a row for all rows of its document,
 * a document of the rarer class for fewer than its share in the evidence. Means over live documents
 * are ratio estimates (Hájek 1971):
 *
 * <pre>
 *   mean = sum of (weight · value) / sum of weights
 * </pre>
 *
 * <p>Immutable.
 */
public final class OperatorEvidence implements Readings {

  private static final Comparator<Measurement> ORDER =
      Comparator.comparing(Measurement::example).thenComparing(Measurement::id);

  private final OperatorContext context;
  private final List<Evidence> evidence;
  private final Amounts amounts;
  private final Estimator scores;
  private final Map<String, PhysicalOperator> implementations = new HashMap<>();
  private final Map<String, List<Measurement>> ofSearch = new HashMap<>();
  private final Map<String, Measurement> byId = new HashMap<>();

  /**
   * Reads evidence.
   *
   * @param evidence in an order that does not depend on when it arrived
   */
  public OperatorEvidence(OperatorContext context, List<Evidence> evidence) {
    this.context = context;
    this.evidence = List.copyOf(evidence);
    this.amounts = Amounts.fit(context, evidence);
    this.scores = Estimator.of(context, evidence);
    Set<String> chosen = context.chosenLabels();
    Map<Evidence.Group, List<Evidence>> groups = new LinkedHashMap<>();
    for (Evidence one : evidence) {
      implementations.putIfAbsent(one.physical().id(), one.physical());
      implementations.putIfAbsent(one.answering(), one.physical());
      groups.computeIfAbsent(one.group(), _ -> new ArrayList<>()).add(one);
    }
    groups.forEach((group, members) -> {
      List<Measurement> measured =
          new Weighted(members)
              .measurements().stream()
                  .map(one -> chosen.contains(one.example()) ? one.withJudged(true) : one)
                  .toList();
      measured.forEach(one -> byId.put(one.id(), one));
      if (!group.ofRun()) {
        ofSearch.put(group.implementation(), measured.stream().sorted(ORDER).toList());
      }
    });
  }

  @Override
  public List<Measurement> of(String implementation) {
    return ofSearch.getOrDefault(implementation, List.of());
  }

  /** The measurement of a piece of this evidence, also of a run; null if there is none. */
  public @Nullable Measurement find(String id) {
    return byId.get(id);
  }

  @Override
  public @Nullable ScoreVariance scoreVariance() {
    return scores.variance();
  }

  @Override
  public LiveAmounts live(String implementation) {
    PhysicalOperator own = implementations.get(implementation);
    PhysicalOperator physical =
        own == null ? implementations.get(ServiceTier.withoutTiers(implementation)) : own;
    return physical == null ? LiveAmounts.SAME : live(physical);
  }

  /** As {@link #live(String)}, also of an implementation without evidence. */
  public LiveAmounts live(PhysicalOperator physical) {
    return amounts.live(physical, scores.error(physical.id()));
  }

  @Override
  public double tierPrice(String implementation) {
    return amounts.tiers().of(implementation);
  }

  @Override
  public OperatorEvidence without(Collection<String> examples) {
    Set<String> removed = Set.copyOf(examples);
    return new OperatorEvidence(
        context,
        evidence.stream().filter(one -> !removed.contains(one.seen().exampleId())).toList());
  }

  /** The evidence of one implementation, in the search or in runs. */
  private final class Weighted {

    private final List<Evidence> members;
    private final boolean rows;
    private final Mean quality = new Mean();
    private final Mean cost = new Mean();
    private final Mean latency = new Mean();
    private final Mean outputs = new Mean();
    private final Scatter scatter = new Scatter();

    Weighted(List<Evidence> members) {
      this.members = members;
      this.rows = scores.isWeighted() && members.stream().anyMatch(member -> member.weight() != 1);
      for (Evidence member : members) {
        double stratum = scores.stratum(member);
        double weight = member.weight() * stratum;
        cost.add(amounts.cost(member), weight);
        // The rows of a document are processed at the same time.
        latency.add(amounts.latency(member), stratum);
        Double score = scores.quality(member);
        if (score != null) {
          quality.add(score, member.weight());
          scatter.add(score);
        }
        if (member.isAnswered()) {
          outputs.add(scores.outputs(member), member.weight());
        }
      }
    }

    List<Measurement> measurements() {
      return members.stream().map(this::measurement).toList();
    }

    private Measurement measurement(Evidence member) {
      Double score = scores.quality(member);
      Measurement measured =
          Measurement.of(
              member.seen(),
              score == null || !rows
                  ? score
                  : Double.valueOf(scatter.around(Math.clamp(quality.weighted(), 0, 1), score)),
              amounts.cost(member) * cost.factor(),
              amounts.latency(member) * latency.factor(),
              scores.outputs(member) * (member.isAnswered() ? outputs.factor() : 1));
      double rest = scores.rest(member);
      return rest == 1 ? measured : measured.withSeen(member.seen().quality()).withRest(rest);
    }
  }

  /** A mean of values, plain and weighted. */
  private static final class Mean {
    private double plain;
    private double count;
    private double weighted;
    private double weights;
    private boolean isWeighted;

    void add(double value, double weight) {
      plain += value;
      count++;
      weighted += weight * value;
      weights += weight;
      isWeighted |= weight != 1;
    }

    double weighted() {
      return weighted / weights;
    }

    /** The weighted mean ÷ the plain mean; 1 if there is none. */
    double factor() {
      return isWeighted && plain > 0 && weights > 0 ? weighted() / (plain / count) : 1;
    }
  }
}
