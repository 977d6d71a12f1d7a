package dev.abacus.optimizer.governor;

import static dev.abacus.optimizer.governor.GovernedWorld.GROUPS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.PromiseReport.JudgedOperator;
import dev.abacus.schemas.control.PromiseReport.Measured;
import dev.abacus.schemas.control.PromiseReport.Promised;
import dev.abacus.schemas.plan.Range;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Drift and corrected results cause a new round of sampling, and the report shows both sides. */
class DriftTest {

  private static final String BOUNDED =
      "objective: maximize quality subject to cost <= 1, latency <= 60";

  @Test
  void documentsThatCostOtherThanEstimatedAreMeasuredAnewOnce() throws Exception {
    GovernedWorld world = new GovernedWorld(BOUNDED);
    world.pass(10).documents(1, 60).pass(10);
    assertThat(world.moves).isEmpty();

    world.documents(1, 60, 2, 0).pass(10);
    assertThat(world.moves)
        .singleElement()
        .isInstanceOfSatisfying(
            ControlRecord.Reoptimize.class,
            asked ->
                assertThat(asked.token())
                    .startsWith("drift 1: cost per document is $0.0")
                    .contains("not $0.010000", "answer=model-selection(gpt-4o)"));
    world.searching = false;
    world.documents(1, 60, 2, 0).pass(10).documents(1, 60, 2, 0).pass(10);
    assertThat(world.moves).hasSize(1);
  }

  @Test
  void nothingIsMeasuredAnewThatNoDecisionDependsOn() throws Exception {
    assertThat(movesOfDearDocuments("objective: maximize quality")).isEmpty();
    assertThat(movesOfDearDocuments("objective: minimize cost subject to quality >= 0.1"))
        .hasSize(1);
    assertThat(movesOfDearDocuments("budget: { spending: { usd: 1000, per: hour } }"))
        .singleElement()
        .satisfies(move -> assertThat(token(move)).contains("cost per document"));
    assertThat(movesOfDearDocuments("governor: { lag: 1000 }"))
        .singleElement()
        .satisfies(move -> assertThat(token(move)).contains("latency per document"));
  }

  private static List<ControlRecord> movesOfDearDocuments(String settings) throws Exception {
    GovernedWorld world = new GovernedWorld(settings);
    world.pass(10).documents(1, 60).pass(10).documents(1, 60, 2, 0).pass(10);
    return world.moves;
  }

  private static String token(ControlRecord move) {
    return ((ControlRecord.Reoptimize) move).token();
  }

  /** Documents that a filter drops are done at once, those that it keeps wait for a model. */
  @Test
  void documentsThatFinishFirstAreNoDrift() throws Exception {
    GovernedWorld world = new GovernedWorld(BOUNDED);
    world.inFlight = 32;
    world.pass(10).documents(1, 120, 0.5, 0).pass(10);
    assertThat(world.moves).isEmpty();

    world.documents(1, 120, 1.3, 0).documents(1, 100).pass(10);
    world.inFlight = 0;
    world.pass(10);
    assertThat(world.moves).as("the rest was slower and more expensive").isEmpty();

    world.documents(1, 600, 0.5, 0).pass(10);
    assertThat(world.moves).as("now they are cheaper").hasSize(1);
  }

  @Test
  void theCostOfAGroupIsNotComparedWithThatOfADocument() throws Exception {
    GovernedWorld world = new GovernedWorld("", GROUPS);
    world.pass(10).documents(1, 60, 20, 0).pass(10).documents(1, 60, 20, 0).pass(10);

    assertThat(world.moves).isEmpty();
    assertThat(world.report().measured().documents()).isEqualTo(120);
    assertThat(world.report().measured().cost()).isNull();
    assertThat(world.report().measured().latency()).isNull();
  }

  @Test
  void qualityDriftsWhenTheJudgesIntervalLeavesThatOfTheEstimate() throws Exception {
    GovernedWorld world = new GovernedWorld(BOUNDED).sure(1, Range.within(0.9, 0.8, 0.97, 0, 1));
    world.pass(10).judged(1, 60, 0.82).documents(1, 5).pass(10);
    assertThat(world.moves).as("within the estimate's interval").isEmpty();

    world.judged(1, 30, 0.5).pass(10);
    assertThat(world.moves).as("too few to say").isEmpty();

    world.judged(1, 30, 0.5).pass(10);
    assertThat(world.moves)
        .singleElement()
        .satisfies(move ->
            assertThat(((ControlRecord.Reoptimize) move).token())
                .startsWith("drift 1: the judge finds the quality of answer to be 0.")
                .endsWith("measured anew: answer=model-selection(gpt-4o)"));
    world.judged(1, 60, 0.5).pass(10).judged(1, 60, 0.5).pass(10);
    assertThat(world.moves).as("what was seen is the measure now").hasSize(1);
  }

  /**
   * One document in twenty is to be kept, and the filter finds half of them: balanced accuracy 0.75
   * as estimated, but 0.97 of the decisions are right.
   */
  @Test
  void theDecisionsOfAFilterAreComparedByItsMetric() throws Exception {
    GovernedWorld world =
        new GovernedWorld("", "{ filter: answer, condition: It is a complaint. }")
            .sure(1, Range.within(0.75, 0.68, 0.82, 0, 1));
    world.pass(10).decided(1, 10, 2, 10, 378).documents(1, 5).pass(10);
    assertThat(world.moves).isEmpty();

    world.decided(1, 2, 2, 3, 53).pass(10);
    assertThat(world.moves).as("five documents of the rare class say little").isEmpty();

    world.decided(1, 0, 2, 80, 1516).pass(10);
    assertThat(world.moves)
        .as("0.95 of the decisions are right, and none of the documents to keep is found")
        .singleElement()
        .satisfies(move ->
            assertThat(((ControlRecord.Reoptimize) move).token())
                .startsWith("drift 1: the judge finds the quality of answer to be 0.5"));
  }

  /** Looked at after every few decisions, an interval of one look would leave the truth often. */
  @Test
  void decisionsThatAreAsGoodAsEstimatedAreNoDrift() throws Exception {
    double recall = 0.95;
    double specificity = 0.97;
    double truth = (recall + specificity) / 2;
    int alarms = 0;
    for (int run = 0; run < 100; run++) {
      Random random = new Random(run);
      GovernedWorld world =
          new GovernedWorld("", "{ filter: answer, condition: It is a complaint. }")
              .sure(1, Range.within(truth, truth - 0.02, truth + 0.02, 0, 1))
              .pass(10);
      for (int report = 0; report < 200 && world.moves.isEmpty(); report++) {
        int[] counts = new int[4];
        for (int decision = 0; decision < (report < 100 ? 5 : 50); decision++) {
          boolean complaint = random.nextDouble() < 0.05;
          boolean right = random.nextDouble() < (complaint ? recall : specificity);
          counts[(complaint ? 2 : 0) + (right ? 1 : 0)]++;
        }
        world.decided(1, counts[3], counts[0], counts[2], counts[1]).pass(10);
      }
      alarms += world.moves.size();
    }
    assertThat(alarms).isLessThanOrEqualTo(3);
  }

  /** Ten outputs in each report: none of them says much, together they do, also over restarts. */
  @Test
  void manySmallReportsAreRememberedOverRestarts() throws Exception {
    GovernedWorld world = new GovernedWorld(BOUNDED).sure(1, Range.within(0.9, 0.88, 0.92, 0, 1));
    world.pass(10);
    for (int i = 0; i < 60; i++) {
      world.judged(1, 10, 0.8).pass(10).restart();
    }
    assertThat(world.moves).hasSize(1);
  }

  @Test
  void theReportSetsMeasuredBesidePromised() throws Exception {
    GovernedWorld world = new GovernedWorld(BOUNDED);
    assertThat(world.report().measured()).isEqualTo(new Measured(0, null, null, null, List.of()));

    world.pass(10).documents(1, 110, 2, 0).judged(1, 33, 0.7).pass(10).restart();

    Measured measured = world.report().measured();
    assertThat(measured.documents()).isEqualTo(110);
    assertRange(measured.cost(), 0.019, 0.020, 0.021);
    assertRange(measured.latency(), 7.8, 8, 8.2);
    assertRange(measured.quality(), 0.68, 0.7, 0.72);
    assertThat(measured.operators()).extracting(JudgedOperator::judged).containsExactly(33L);
    assertThat(world.report().promised())
        .as("the plan was not run on held-back examples")
        .isEqualTo(new Promised(null, Range.of(0.9), Range.of(0.01), Range.of(4)));
  }

  /** As of an epoch that a user has pinned again. */
  @Test
  void thePlanInForceIsMeasuredHoweverManyCameAfterIt() throws Exception {
    GovernedWorld world = new GovernedWorld("");
    for (long epoch = 2; epoch <= 30; epoch++) {
      world.publish(epoch, world.plan("gpt-4o", 0.9, 0.010, 4), List.of());
      world.documents(epoch, 10).pass(10);
      world.epochs.remove(epoch - 19); // Workers report the 20 with the latest documents.
    }
    world.epochs.pollFirstEntry();
    world.documents(1, 60).judged(1, 60, 0.9).pass(10).documents(1, 60).judged(1, 60, 0.9).pass(10);

    Measured measured = world.report().measured();
    assertThat(measured.documents()).isEqualTo(120);
    assertThat(measured.operators()).extracting(JudgedOperator::judged).containsExactly(120L);
  }

  private static void assertRange(@Nullable Range range, double low, double mean, double high) {
    assertThat(Objects.requireNonNull(range).mean()).isCloseTo(mean, within(1e-9));
    assertThat(range.low()).isBetween(low, mean);
    assertThat(range.high()).isBetween(mean, high);
  }

  @Test
  void twentyCorrectedResultsCauseARoundOnceEach() throws Exception {
    GovernedWorld world = new GovernedWorld(BOUNDED);
    world.corrected = 19;
    world.pass(30);
    assertThat(world.moves).isEmpty();

    world.corrected = 20;
    world.pass(30);
    assertThat(world.moves)
        .containsExactly(
            new ControlRecord.Reoptimize(
                "p", "feedback 1: 20 results were corrected; their examples are sampled"));

    world.searching = false;
    world.corrected = 39;
    world.restart().pass(30);
    assertThat(world.moves).hasSize(1);
    world.corrected = 41;
    world.pass(30);
    assertThat(world.moves).hasSize(2);
  }
}
