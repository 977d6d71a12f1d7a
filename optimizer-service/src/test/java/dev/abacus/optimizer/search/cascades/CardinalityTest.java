package dev.abacus.optimizer.search.cascades;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.search.cost.Estimates;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import org.junit.jupiter.api.Test;

/** Operators over several documents have the output counts that the program states. */
class CardinalityTest {

  private static final PhysicalOperator MODEL = new ModelSelection("m");

  @Test
  void aModelReadsEachGroupOnceAndTheOperatorsBehindSeeGroups() {
    assertThat(
            cost(
                """
                  - map: first
                    instruction: Do it.
                    reads: [text]
                    writes: { topic: string }
                  - aggregate: daily
                    by: [topic]
                    window: { tumbling: 24h }
                    instruction: Summarize.
                    writes: { summary: string }
                    fanout: 0.05
                  - map: title
                    instruction: Title.
                    writes: { title: string }
                """))
        .isCloseTo(0.01 + 0.05 * 0.01 + 0.05 * 0.01, within(1e-12));
  }

  @Test
  void onlyTheDocumentsThatALimitPassesAreCharged() {
    assertThat(
            cost(
                """
                  - filter: good
                    condition: It is good.
                    reads: [text]
                  - map: first
                    instruction: Do it.
                    reads: [text]
                    writes: { topic: string }
                  - limit: 100
                    window: 1h
                    fanout: 0.2
                """))
        .isCloseTo(0.01 + 0.2 * 0.01, within(1e-12));
  }

  @Test
  void aModelDecidesEachPairOfAJoinOfStreams() {
    assertThat(
            cost(
                """
                  - join: pairs
                    input: docs
                    with: others
                    within: 1h
                    on: customer
                    condition: Both are about the same.
                    fanout: 3
                  - map: first
                    instruction: Do it.
                    writes: { topic: string }
                """))
        .isCloseTo(3 * 0.01 + 3 * 0.01, within(1e-12));
  }

  /** The cost of a plan whose operators cost 0.01 USD per input and pass everything. */
  private static double cost(String operators) {
    boolean joins = operators.contains("others");
    Program program =
        parse(
            "program: counted\nsources: { docs: { topic: docs }%s }\noperators:\n%sresults: { topic: out }\n"
                .formatted(joins ? ", others: { topic: others }" : "", operators));
    Estimates.Builder estimates = Estimates.builder();
    for (LogicalOperator operator : program.semanticOperators()) {
      estimates.put(operator.id(), MODEL, new OperatorEstimate(1, 0.01, 1, 1));
    }
    return PlanSearch.search(
            program,
            estimates.build().byOperator(),
            Fanouts.STATED,
            ObjectiveParser.parse("minimize cost"),
            SearchOptions.DEFAULT)
        .chosen()
        .estimate()
        .cost();
  }

  private static Program parse(String yaml) {
    try {
      return new ProgramParser(ModelCatalogue.builtIn()).parse(yaml);
    } catch (InvalidTextException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }
}
