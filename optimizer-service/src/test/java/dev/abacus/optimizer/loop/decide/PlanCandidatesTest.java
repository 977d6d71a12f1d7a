package dev.abacus.optimizer.loop.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.loop.state.Beliefs;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanCandidatesTest {

  private static Program program(int operators) {
    List<LogicalOperator> maps = new ArrayList<>();
    for (int i = 0; i < operators; i++) {
      maps.add(
          new SemanticMap(
              "o" + i,
              i == 0 ? "messages" : "o" + (i - 1),
              "Fill in.",
              List.of("text"),
              List.of(new Field("f" + i, new FieldType.StringType(List.of()), "", false))));
    }
    return new Program(
        "p",
        List.of(new Program.Source("messages", "messages", Program.Format.JSON, "id")),
        List.of(),
        maps,
        new Program.Results("results", Program.Format.JSON),
        Settings.defaults("p")
            .withObjective(ObjectiveParser.parse("minimize cost subject to quality >= 0.8")));
  }

  private final Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible = new HashMap<>();
  private final Map<String, Map<Arm, Belief>> beliefs = new HashMap<>();

  private void add(String operator, String model, double quality, double deviation, double cost) {
    PhysicalOperator physical = new ModelSelection(model);
    OperatorEstimate mean = new OperatorEstimate(quality, cost, 1, 1);
    eligible.computeIfAbsent(operator, _ -> new HashMap<>()).put(physical, mean);
    beliefs
        .computeIfAbsent(operator, _ -> new HashMap<>())
        .put(Arm.named(physical.id()), Belief.alone(mean, 500, deviation, 0.01, 0.01));
  }

  /**
   * All uncertainty is in one of four operators. The cheap model seems better than the dear one,
   * which is well known. A margin divided by the root of the number of operators would be 0.064 and
   * 0.013 for the two, so that the cheap model seems better still.
   */
  @Test
  void aPlanThatKeepsItsBoundIsFoundAlthoughOneOperatorHasAllUncertainty() {
    for (String known : List.of("o0", "o1", "o2")) {
      add(known, "sure", 1, 1e-6, 0.001);
    }
    add("o3", "cheap", 0.92, 0.1, 0.001);
    add("o3", "dear", 0.85, 0.02, 0.002);
    PlanCandidates candidates =
        new PlanCandidates(
            program(4), eligible, new Beliefs(beliefs, Fanouts.STATED), SearchOptions.DEFAULT);
    PlanChoice cheap = candidates.search(candidates.objective()).chosen();
    assertThat(candidates.probability(cheap)).isLessThan(0.9);

    assertThat(candidates.surer(cheap, 0.9)).anyMatch(plan -> candidates.probability(plan) >= 0.9);
  }
}
