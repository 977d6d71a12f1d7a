package dev.abacus.optimizer.learning;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A stream of documents of several topics that meet filters, and workers that follow the plan: a
 * simulation without Kafka in which the answers of all filters are known. The embedding is the
 * topic with noise.
 */
final class FilterStream {

  static final double AUDIT = 0.05;

  private static final double NOISE = 0.3;

  private final Random random;
  private final double[] costs;

  /** By topic, then filter: the probability of passing. */
  private final double[][] passing;

  private final Program program;
  private final List<PlanStep> steps;
  private final TreeMap<Long, PhysicalPlan> plans = new TreeMap<>();
  private final LiveLearner learner = new LiveLearner(Runnable::run);
  private final Map<TrainedClassifier, LinearClassifier> decoded = new HashMap<>();
  private ControlRecord.Activated active;
  private int documents;

  FilterStream(long seed, double[] costs, double[][] passing) {
    this.random = new Random(seed);
    this.costs = costs;
    this.passing = passing;
    StringBuilder text = new StringBuilder("program: p\nsources: { s: { topic: in } }\noperators:");
    for (int i = 0; i < costs.length; i++) {
      text.append("\n  - filter: f%d\n    condition: C%d.".formatted(i, i));
    }
    text.append(
        "\nresults: { topic: out }\nlearning: { audit: %s, answers: off }\n".formatted(AUDIT));
    try {
      this.program = new ProgramParser(ModelCatalogue.builtIn()).parse(text.toString());
    } catch (InvalidTextException e) {
      throw new AssertionError(e);
    }
    this.steps =
        program.operators().stream()
            .map(operator -> new PlanStep(operator, new ModelSelection("gpt-4o")))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(1, 1, 1));
    plans.put(1L, new PhysicalPlan("p", 1, choice, program.objective(), List.of()));
    active = activated(1);
  }

  /** Filters of equal costs, each of which passes a tenth of one topic and nine of ten others. */
  static FilterStream ofTopics(long seed, int filters) {
    double[] costs = new double[filters];
    double[][] passing = new double[filters][filters];
    for (int i = 0; i < filters; i++) {
      costs[i] = 0.001;
      for (int j = 0; j < filters; j++) {
        passing[i][j] = i == j ? 0.1 : 0.9;
      }
    }
    return new FilterStream(seed, costs, passing);
  }

  PhysicalPlan plan() {
    return Objects.requireNonNull(plans.get(active.epoch()));
  }

  ControlRecord.Activated active() {
    return active;
  }

  int plans() {
    return plans.size();
  }

  /** The cost of further documents, as what was learnt is published at once; a mean in USD. */
  double run(int number) {
    double cost = 0;
    for (int i = 0; i < number; i++) {
      cost += next(true);
      if (documents % 10 == 0) {
        decide();
      }
    }
    return cost / number;
  }

  /** The cost of documents by the present plan, from which nothing is learnt. */
  double truth(int number) {
    double cost = 0;
    for (int i = 0; i < number; i++) {
      cost += next(false);
    }
    return cost / number;
  }

  /** The expected cost in the best order that is equal for all documents. */
  double bestFixed() {
    return best(new ArrayList<>());
  }

  private double best(List<Integer> begun) {
    if (begun.size() == costs.length) {
      double cost = 0;
      for (double[] topic : passing) {
        double reaching = 1.0 / passing.length;
        for (int filter : begun) {
          cost += reaching * costs[filter];
          reaching *= topic[filter];
        }
      }
      return cost;
    }
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < costs.length; i++) {
      if (!begun.contains(i)) {
        begun.add(i);
        least = Math.min(least, best(begun));
        begun.removeLast();
      }
    }
    return least;
  }

  /** A user activates another plan. */
  void activate(long epoch) {
    active = activated(epoch);
  }

  private double next(boolean learns) {
    int topic = random.nextInt(passing.length);
    float[] vector = new float[passing.length];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) ((i == topic ? 1 : 0) + NOISE * random.nextGaussian());
    }
    boolean[] passes = new boolean[costs.length];
    for (int i = 0; i < passes.length; i++) {
      passes[i] = random.nextDouble() < passing[topic][i];
    }
    LearnedOrder order = plan().orders().stream().findFirst().orElse(null);
    boolean explored = random.nextDouble() < AUDIT && order != null;
    boolean reached = true;
    double cost = 0;
    documents++;
    for (int filter : order(order, vector)) {
      if (reached || explored) {
        cost += costs[filter];
        if (learns) {
          answer(filter, vector, passes[filter], explored ? reached : null);
        }
      }
      reached &= passes[filter];
    }
    return cost;
  }

  private void answer(int filter, float[] vector, boolean passes, @Nullable Boolean reached) {
    learner.take(
        new LiveAnswer(
            "f" + filter,
            LiveAnswer.question(steps.get(filter)),
            "in-0@" + documents,
            "e",
            Evidence.encode(vector),
            String.valueOf(passes),
            null,
            1,
            costs[filter],
            reached),
        Objects.requireNonNull(program.learning()));
  }

  private List<Integer> order(@Nullable LearnedOrder order, float[] vector) {
    double[] calls = costs.clone();
    double[] chances = new double[costs.length];
    for (int i = 0; order != null && i < chances.length; i++) {
      LearnedOrder.Chance chance = Objects.requireNonNull(order.filters().get("f" + i));
      calls[i] = chance.cost();
      chances[i] =
          decoded
              .computeIfAbsent(chance.classifier(), LinearClassifier::of)
              .probability("true", vector);
    }
    return LearnedOrder.order(
        order == null || order.predicted() == null ? new double[costs.length] : calls, chances);
  }

  private void decide() {
    learner.learn();
    List<ControlRecord> records = learner.decide(program, active, plans, plans.lastKey() + 1);
    if (!records.isEmpty()) {
      PhysicalPlan plan = ((ControlRecord.PlanPublished) records.getFirst()).plan();
      plans.put(plan.epoch(), plan);
      active = (ControlRecord.Activated) records.getLast();
    }
  }

  private static ControlRecord.Activated activated(long epoch) {
    return new ControlRecord.Activated("p", epoch, 1, "test", ControlRecord.OPTIMIZER);
  }
}
