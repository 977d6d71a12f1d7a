package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * A small random program with random estimates in hundredths, so that the brute force can reckon in
 * whole numbers. Values are drawn from few, so that ties are common.
 */
record RandomCase(
    Program program,
    Map<String, List<Candidate>> candidates,
    Objective objective,
    CostModel costModel) {

  private static final List<String> SOURCE_FIELDS = List.of("a", "b", "c");

  static RandomCase draw(RandomGenerator random) {
    int size = 1 + random.nextInt(4);
    List<Given.Spec> specs = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      specs.add(spec(i, size, random));
    }
    Program program = Given.program(specs);
    Map<String, List<Candidate>> candidates = new LinkedHashMap<>();
    program.operators().forEach(o -> candidates.put(o.id(), candidates(o, random)));
    CostModel model = random.nextInt(4) == 0 ? CostModel.PAPER : CostModel.SELECTIVITY;
    return new RandomCase(program, candidates, objective(random), model);
  }

  RandomCase withObjective(Objective other) {
    return new RandomCase(program, candidates, other, costModel);
  }

  SearchOptions options() {
    return SearchOptions.DEFAULT.withCostModel(costModel);
  }

  private static Given.Spec spec(int i, int size, RandomGenerator random) {
    String[] reads =
        random.nextInt(5) == 0 ? new String[0] : fields(size, 1 + random.nextInt(2), random);
    return switch (random.nextInt(9)) {
      case 5 -> Given.topK("op" + i, fields(size, 1, random));
      case 6 -> Given.join("op" + i, reads);
      case 8 -> Given.rank("op" + i, fields(size, 1, random)[0], reads);
      case 7 -> Given.manyMap("op" + i, reads);
      case 0, 1 -> Given.filter("op" + i, reads);
      case 2, 3 ->
          Given.map(
              "op" + i,
              random.nextInt(5) == 0 ? List.of(fields(size, 1, random)) : List.of("x" + i),
              reads);
      default -> Given.project("op" + i, fields(size, 2 + random.nextInt(5), random));
    };
  }

  private static String[] fields(int size, int count, RandomGenerator random) {
    List<String> all = new ArrayList<>(SOURCE_FIELDS);
    for (int i = 0; i < size; i++) {
      all.add("x" + i);
    }
    Collections.shuffle(all, Random.from(random));
    return all.stream().limit(count).toArray(String[]::new);
  }

  static List<Candidate> candidates(LogicalOperator operator, RandomGenerator random) {
    if (!operator.isSemantic()) {
      return List.of(new Candidate("relational", OperatorEstimate.RELATIONAL));
    }
    int coarse = random.nextBoolean() ? 25 : 1;
    boolean selective = operator instanceof SemanticFilter || random.nextInt(3) == 0;
    int most = operator instanceof SemanticFilter ? 100 : 200;
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      candidates.add(
          new Candidate(
              "p" + i,
              new OperatorEstimate(
                  hundredths(100, coarse, random),
                  hundredths(100, coarse, random),
                  hundredths(100, coarse, random),
                  selective ? hundredths(most, coarse, random) : 1)));
    }
    return candidates;
  }

  private static double hundredths(int most, int coarse, RandomGenerator random) {
    return random.nextInt(most / coarse + 1) * coarse / 100.0;
  }

  static Objective objective(RandomGenerator random) {
    Dimension target = List.of(Dimension.values()).get(random.nextInt(3));
    List<Bound> bounds = new ArrayList<>();
    for (Dimension dimension : Dimension.values()) {
      if (dimension != target && random.nextInt(3) > 0) {
        int most = dimension == Dimension.QUALITY ? 100 : 250;
        bounds.add(new Bound(dimension, random.nextInt(most) / 100.0));
      }
    }
    return new Objective(target, bounds);
  }
}
