package dev.abacus.optimizer.learning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.LearningReport;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Spread;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What has been learnt becomes a plan. The model says whether a message is about money. */
class LiveLearnerTest {

  private static final String PROGRAM =
      """
      program: triage
      sources: { messages: { topic: in } }
      operators:
        - filter: about-money
          condition: It is about money.
      results: { topic: out }
      learning: { audit: 0.02, target: 0.9 }
      """;

  private final Random random = new Random(1);
  private final TreeMap<Long, PhysicalPlan> plans = new TreeMap<>();
  private LiveLearner learner = new LiveLearner(Runnable::run);
  private Program program;
  private ControlRecord.Activated active;

  @BeforeEach
  void start() throws Exception {
    program = parse(PROGRAM);
    publish(plan(1, "gpt-4o", 0.9));
  }

  @Test
  void classifiersAreANewEpochOfTheSamePlan() {
    answer("gpt-4o", 400);
    publishLearnt();
    PhysicalPlan learnt = plan(2L);
    assertThat(learnt.choice()).isEqualTo(plan(1L).choice());
    assertThat(learnt.learned()).containsOnlyKeys("about-money");
    assertThat(active.by()).isEqualTo(ControlRecord.OPTIMIZER);
    assertThat(active.reason()).contains("a classifier of 'about-money'");
    assertThat(decide()).isEmpty();
  }

  @Test
  void nothingIsPublishedBeforeSomethingIsLearnt() {
    answer("gpt-4o", 90);
    assertThat(decide()).isEmpty();
  }

  @Test
  void aRollbackIsRespectedUntilMoreIsLearnt() {
    answer("gpt-4o", 400);
    publishLearnt();
    active = activated(1, ControlRecord.OPTIMIZER);
    assertThat(decide()).isEmpty();
  }

  @Test
  void aPlanOfAUserStays() {
    active = activated(1, "anna");
    answer("gpt-4o", 400);
    assertThat(decide()).isEmpty();
  }

  @Test
  void theNextPlanOfTheSearchGetsWhatWasLearnt() {
    answer("gpt-4o", 400);
    publishLearnt();
    publish(plan(3, "gpt-4o", 0.95));
    publishLearnt();
    assertThat(plan(4L).learned()).isEqualTo(plan(2L).learned());
    assertThat(plan(4L).estimate().quality()).isEqualTo(0.95);
  }

  @Test
  void answersOfOneModelSayNothingAboutAnother() {
    answer("gpt-4o", 400);
    publish(plan(2, "gpt-4o-mini", 0.9));
    assertThat(decide()).isEmpty();
  }

  @Test
  void switchingLearningOffTakesTheClassifiersOut() {
    answer("gpt-4o", 400);
    publishLearnt();
    program = program.withSettings(program.settings().withLearning(null));
    publishLearnt();
    assertThat(plan(3L).learned()).isEmpty();
  }

  /** Classifiers may be wrong for 0.05 of the documents; the estimate errs by 0.01. */
  @Test
  void aProgramThatIsToBeCheapLearnsUnaskedIfItsBoundHoldsWithTheMistakesToo() throws Exception {
    for (String bound : List.of("0.83", "0.86")) {
      String unasked = PROGRAM.replaceAll("learning: .*", "");
      program = parse(unasked + "objective: minimize cost subject to quality >= " + bound);
      plans.clear();
      publish(plan(1, "gpt-4o", 0.9));
      answer("gpt-4o", 1000);
      boolean holds = bound.equals("0.83");
      assertThat(decide()).hasSize(holds ? 2 : 0);
      LearningReport report = learner.report(program, plan(1L)).getFirst();
      assertThat(report.answering()).isEqualTo(holds);
      assertThat(report.withheld())
          .isEqualTo(
              holds
                  ? null
                  : "quality >= 0.86 might not hold if they are wrong for 0.05 of the documents");
    }
    program = parse(PROGRAM + "objective: minimize cost subject to quality >= 0.86");
    answer("gpt-4o", 1000);
    assertThat(decide()).hasSize(2);
  }

  @Test
  void aNewLeaderLearnsTheSame() {
    answer("gpt-4o", 400);
    publishLearnt();
    learner = new LiveLearner(Runnable::run);
    random.setSeed(1);
    answer("gpt-4o", 400);
    assertThat(decide()).isEmpty();
  }

  /** Each keeps thousands of embeddings. */
  @Test
  void onlyTheImplementationsWithTheLatestAnswersAreLearntAbout() {
    answer("gpt-4o", 400);
    for (String model : List.of("a", "b", "c")) {
      answer(model, 1);
    }
    assertThat(decide()).hasSize(2);
    answer("d", 1);
    assertThat(decide()).isEmpty();
  }

  private static Program parse(String text) throws InvalidTextException {
    return new ProgramParser(ModelCatalogue.builtIn()).parse(text);
  }

  private PhysicalPlan plan(long epoch) {
    return Objects.requireNonNull(plans.get(epoch));
  }

  private void answer(String model, int answers) {
    PlanStep step = new PlanStep(program.operators().getFirst(), new ModelSelection(model));
    for (int i = 0; i < answers; i++) {
      boolean money = random.nextBoolean();
      float[] vector = {money ? 1 : -1, (float) random.nextGaussian()};
      learner.take(
          new LiveAnswer(
              "about-money",
              LiveAnswer.question(step),
              "in-0@" + i,
              "e",
              Evidence.encode(vector),
              String.valueOf(money),
              null,
              1,
              null,
              null),
          Objects.requireNonNull(program.learning()));
    }
    learner.learn();
  }

  private List<ControlRecord> decide() {
    return learner.decide(program, active, plans, plans.lastKey() + 1);
  }

  private void publishLearnt() {
    List<ControlRecord> records = decide();
    assertThat(records).hasSize(2);
    plans.put(plans.lastKey() + 1, ((ControlRecord.PlanPublished) records.getFirst()).plan());
    active = (ControlRecord.Activated) records.getLast();
  }

  private PhysicalPlan plan(long epoch, String model, double quality) {
    PlanStep step = new PlanStep(program.operators().getFirst(), new ModelSelection(model));
    PlanChoice choice =
        new PlanChoice(List.of(step), new Estimate(quality, 0.001, 1))
            .with(new Spread(0.01, 0.0, 0, 100, 100, List.of()));
    return new PhysicalPlan("triage", epoch, choice, program.objective(), List.of(choice))
        .with(Map.of(), null, Standing.REQUIRED);
  }

  private void publish(PhysicalPlan plan) {
    plans.put(plan.epoch(), plan);
    active = activated(plan.epoch(), ControlRecord.OPTIMIZER);
  }

  private static ControlRecord.Activated activated(long epoch, String by) {
    return new ControlRecord.Activated("triage", epoch, 1, "test", by);
  }
}
