package dev.abacus.topology.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.ControlRecord.Activated;
import dev.abacus.schemas.control.ControlRecord.Paused;
import dev.abacus.schemas.control.ControlRecord.PlanPublished;
import dev.abacus.schemas.control.ControlRecord.ProgramSet;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;

class ProgramPlansTest {

  private static final byte[] KEY = {1};

  private final ProgramPlans plans = new ProgramPlans();

  @Test
  void beforeTheFirstPlanNothingCanBeStamped() {
    assertThatThrownBy(() -> plans.epochFor(KEY)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anActivationCountsOnceItsPlanIsKnown() {
    publish(1);
    activate(1, 1);
    activate(2, 1);

    assertThat(plans.epochFor(KEY)).isEqualTo(1);
    publish(2);
    assertThat(plans.epochFor(KEY)).isEqualTo(2);
    assertThat(plans.plan(1)).isNotNull();
    assertThat(plans.plan(3)).isNull();
  }

  @Test
  void aPlanWithoutTheProgramsFilterIsNeitherAcceptedNorActivated() throws Exception {
    Program filtering =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: p
                sources: { docs: { topic: docs } }
                operators: [{ filter: good, condition: It is good. }]
                results: { topic: out }
                """);
    plans.apply(new ProgramSet(filtering));

    assertThatThrownBy(() -> publish(1)).hasMessageContaining("lacks the operators [good]");
    activate(1, 1);
    assertThatThrownBy(() -> plans.epochFor(KEY)).isInstanceOf(IllegalStateException.class);

    ProgramPlans restarted = new ProgramPlans();
    restarted.apply(new PlanPublished(plan(1)));
    restarted.apply(new Activated("p", 1, 1, "", "user"));
    restarted.apply(new ProgramSet(filtering));
    assertThatThrownBy(() -> restarted.epochFor(KEY)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aRestartedWorkerFollowsThePlanOfAnEarlierVersionAsARunningOneDoes() throws Exception {
    ProgramParser parser = new ProgramParser(ModelCatalogue.builtIn());
    String text =
        """
        program: p
        sources: { docs: { topic: docs } }
        operators: %s
        results: { topic: out }
        """;
    Program before = parser.parse(text.formatted("[{ project: [id] }]"));
    Program after = parser.parse(text.formatted("[{ filter: good, condition: It is good. }]"));
    PlanChoice choice =
        new PlanChoice(
            List.of(new PlanStep(before.operators().getFirst(), new Relational())),
            new Estimate(1, 0, 0));
    PhysicalPlan plan = new PhysicalPlan("p", 1, choice, before.objective(), List.of());
    Activated activated = new Activated("p", 1, 1, "", ControlRecord.OPTIMIZER);
    plans.apply(new ProgramSet(before));
    plans.apply(new PlanPublished(plan));
    plans.apply(activated);
    plans.apply(new ProgramSet(after));

    ProgramPlans restarted = new ProgramPlans();
    restarted.apply(new PlanPublished(plan));
    restarted.apply(activated);
    restarted.apply(new ProgramSet(after));

    assertThat(plans.epochFor(KEY)).isEqualTo(1);
    assertThat(restarted.epochFor(KEY)).isEqualTo(1);
    assertThat(restarted.state()).isEqualTo(plans.state());
  }

  @Test
  void aPlanWithExamplesIsNotActivatedByAUserIfTheProgramKeepsThemOut() throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: p
                sources: { docs: { topic: docs } }
                operators: [{ filter: good, condition: It is good. }]
                results: { topic: out }
                validation: { fewShot: false }
                """);
    PlanChoice choice =
        new PlanChoice(
            List.of(
                new PlanStep(program.operators().getFirst(), new FewShot("gpt-4o", 2, List.of()))),
            new Estimate(1, 0, 0));
    assertThat(plans.fewShot()).isTrue();
    plans.apply(new ProgramSet(program));
    plans.apply(
        new PlanPublished(new PhysicalPlan("p", 1, choice, program.objective(), List.of())));

    assertThat(plans.fewShot()).isFalse();
    assertThatThrownBy(() -> activate(1, 1)).hasMessageContaining("labelled examples");
    plans.apply(new Activated("p", 1, 1, "", ControlRecord.OPTIMIZER));
    assertThat(plans.epochFor(KEY)).as("until the optimizer replaces it").isEqualTo(1);
  }

  @Test
  void aRollbackGoesBackToTheEarlierEpoch() {
    publish(1);
    publish(2);
    activate(2, 1);
    activate(1, 1);

    assertThat(plans.epochFor(KEY)).isEqualTo(1);
  }

  @Test
  void aCanaryTakesItsShareOfTheKeysAndEachKeyStaysOnItsSide() {
    publish(1);
    publish(2);
    activate(1, 1);
    activate(2, 0.2);

    long canary = IntStream.range(0, 10_000).filter(i -> plans.epochFor(key(i)) == 2).count();

    assertThat(canary / 10_000.0).isCloseTo(0.2, within(0.03));
    assertThat(plans.epochFor(key(7))).isEqualTo(plans.epochFor(key(7)));
  }

  @Test
  void aCanaryGetsItsShareOfSequentialKeysInEveryPartition() {
    publish(1);
    publish(2);
    activate(1, 1);
    activate(2, 0.1);

    for (String format : List.of("%d", "d%05d", "order-%d")) {
      long[] canary = new long[12];
      long[] all = new long[12];
      for (int i = 0; i < 12_000; i++) {
        byte[] key = format.formatted(i).getBytes(StandardCharsets.UTF_8);
        int partition = Utils.toPositive(Utils.murmur2(key)) % 12;
        all[partition]++;
        canary[partition] += plans.epochFor(key) == 2 ? 1 : 0;
      }
      for (int i = 0; i < 12; i++) {
        assertThat(canary[i] / (double) all[i])
            .as("%s %d", format, i)
            .isCloseTo(0.1, within(0.045));
      }
      assertThat(LongStream.of(canary).sum() / 12_000.0).isCloseTo(0.1, within(0.01));
    }
  }

  @Test
  void aCanaryGetsItsShareOfDocumentsWithoutAKey() {
    publish(1);
    publish(2);
    activate(1, 1);
    activate(2, 0.5);

    assertThat(IntStream.range(0, 1_000).mapToLong(_ -> plans.epochFor(null)).distinct())
        .containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void wideningACanaryKeepsThePlanBesideIt() {
    publish(1);
    publish(2);
    activate(1, 1);
    activate(2, 0.1);
    activate(2, 0.5);

    assertThat(IntStream.range(0, 100).mapToLong(i -> plans.epochFor(key(i))).distinct())
        .containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void aPauseIsLiftedByFalseOrByATombstone() {
    plans.apply(new Paused("p", true));
    assertThat(plans.state().paused()).isTrue();
    plans.remove(new ControlKey.PausedKey("p"));
    assertThat(plans.state().paused()).isFalse();
  }

  /** Two shapes of a program, and plans of each. */
  private static Program shaped(String operators) throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(
            """
            program: p
            sources: { docs: { topic: docs } }
            operators: [%s]
            results: { topic: out }
            """
                .formatted(operators));
  }

  private void publish(Program program, long epoch) {
    PlanChoice choice =
        new PlanChoice(
            program.operators().stream()
                .map(operator -> new PlanStep(operator, new Relational()))
                .toList(),
            new Estimate(1, 0, 0));
    plans.apply(
        new PlanPublished(new PhysicalPlan("p", epoch, choice, program.objective(), List.of())));
    activate(epoch, 1);
  }

  @Test
  void aVersionKeepsItsPlanWhenTheProgramHasAnotherShapeAndFollowsItAgain() throws Exception {
    Program old = shaped("{ project: [id] }");
    Program other = shaped("{ project: [id] }, { limit: 5 }");
    plans.apply(new ProgramSet(old));
    publish(old, 1);
    ProgramPlans version = plans.ofVersion(old, old::equals, null);
    publish(old, 2);
    assertThat(version.epochFor(KEY)).as("it follows").isEqualTo(2);

    plans.apply(new ProgramSet(other));
    publish(other, 3);
    assertThat(plans.epochFor(KEY)).isEqualTo(3);
    assertThat(version.epochFor(KEY)).isEqualTo(2);
    assertThat(version.state().program()).isEqualTo(old);
    plans.apply(new Paused("p", true));
    assertThat(version.state().paused()).as("a pause is for all versions").isTrue();
    plans.remove(new ControlKey.PausedKey("p"));

    plans.apply(new ProgramSet(old));
    publish(old, 4);
    assertThat(version.epochFor(KEY)).isEqualTo(4);
    plans.forget(version);
    publish(old, 5);
    assertThat(version.epochFor(KEY)).as("forgotten").isEqualTo(4);
  }

  @Test
  void aVersionThatEndsStartsWithTheEpochOfItsEnd() throws Exception {
    Program old = shaped("{ project: [id] }");
    Program other = shaped("{ project: [id] }, { limit: 5 }");
    plans.apply(new ProgramSet(old));
    publish(old, 1);
    publish(old, 2);
    plans.apply(new ProgramSet(other));
    publish(other, 3);

    assertThat(plans.ofVersion(old, old::equals, 1L).epochFor(KEY)).isEqualTo(1);
    assertThat(plans.ofVersion(old, old::equals, null).epochFor(KEY)).as("newest").isEqualTo(2);
    assertThat(plans.ofVersion(old, old::equals, 9L).epochFor(KEY)).as("unknown").isEqualTo(2);
    assertThat(plans.ofVersion(other, other::equals, null).epochFor(KEY)).isEqualTo(3);
  }

  private void publish(long epoch) {
    plans.apply(new PlanPublished(plan(epoch)));
  }

  /** A plan without operators. */
  private static PhysicalPlan plan(long epoch) {
    PlanChoice choice = new PlanChoice(List.of(), new Estimate(1, 0, 0));
    return new PhysicalPlan("p", epoch, choice, Objective.MAXIMIZE_QUALITY, List.of());
  }

  private void activate(long epoch, double share) {
    plans.apply(new Activated("p", epoch, share, "test", "test"));
  }

  private static byte[] key(int number) {
    return ("customer-" + number * 7919).getBytes(StandardCharsets.UTF_8);
  }
}
