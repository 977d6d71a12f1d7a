package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ModelCascade;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.SampleBudget;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How a search learns when the answer of a cheaper model suffices, and what that costs. */
class ModelCascadeSearchTest {

  private static final SampleBudget ONE_DOLLAR = new SampleBudget.Dollars(1);

  private static PhysicalOperator chosen(CascadeWorld world) {
    return world.plans.getLast().steps().getFirst().physical();
  }

  @Test
  void aThresholdIsLearnedFromTheProxysAnswersOnLabelledExamples() {
    CascadeWorld world = CascadeWorld.withProxy(ONE_DOLLAR, true).examples(0, 300).finish();

    assertThat(chosen(world)).isInstanceOf(ModelCascade.class);
    var classifier = Objects.requireNonNull(((ModelCascade) chosen(world)).classifier());
    assertThat(classifier.thresholds()).anyMatch(threshold -> threshold <= 1);
    assertThat(classifier.examples()).isGreaterThan(100);
    assertThat(world.embedded)
        .as("calls that are paid for have a cap of their own")
        .hasSizeLessThanOrEqualTo(200)
        .allMatch(SampleTask::paysForEvidence);
  }

  @Test
  void anEstimateContainsTheProxysCallForEveryDocumentAndTheModelsForSome() {
    CascadeWorld world = CascadeWorld.withProxy(ONE_DOLLAR, true).examples(0, 300).finish();

    PhysicalPlan plan = world.plans.getLast();
    var cascade =
        Objects.requireNonNull(
            plan.basis().getOrDefault("keep", Map.of()).get(CascadeWorld.WITH_PROXY.id()));
    // Three in ten are asked of the model.
    assertThat(cascade.cost().mean())
        .isCloseTo(CascadeWorld.PROXY_CALL + 0.3 * CascadeWorld.CALL, within(0.0012));
    assertThat(cascade.latency().mean()).isGreaterThan(CascadeWorld.SECONDS);
  }

  @Test
  void evidenceUsesAFifthOfABudgetInDollars() {
    CascadeWorld world =
        CascadeWorld.withProxy(new SampleBudget.Dollars(0.5), true).examples(0, 300).finish();

    double paid = world.embedded.size() * CascadeWorld.PROXY_CALL;
    assertThat(paid).isLessThanOrEqualTo(0.1);
    assertThat(paid).isGreaterThan(0.06);
  }

  @Test
  void everyAnswerOfAProxyIsAnInvocation() {
    CascadeWorld world =
        CascadeWorld.withProxy(new SampleBudget.Invocations(700), true).examples(0, 300).finish();

    assertThat(world.embedded).hasSizeBetween(130, 200);
    assertThat(world.embedded.size() + world.called.size()).isLessThanOrEqualTo(700);
    assertThat(chosen(world)).isInstanceOf(ModelCascade.class);
  }

  @Test
  void aBudgetThatCannotReachTheTargetBuysNoEvidence() {
    CascadeWorld world =
        CascadeWorld.withProxy(new SampleBudget.Invocations(60), true).examples(0, 300).finish();

    assertThat(world.embedded).isEmpty();
    assertThat(chosen(world)).isEqualTo(CascadeWorld.MODEL);
  }

  @Test
  void anEndpointWithoutLogprobsIsPaidForOneBatchOnly() {
    CascadeWorld world = CascadeWorld.withProxy(ONE_DOLLAR, false).examples(0, 300).finish();

    assertThat(world.embedded).hasSizeLessThanOrEqualTo(32);
    assertThat(chosen(world)).isEqualTo(CascadeWorld.MODEL);
  }

  @Test
  void aPlanWithATrainedCascadeSurvivesItsTopic() {
    CascadeWorld world = CascadeWorld.withProxy(ONE_DOLLAR, true).examples(0, 300).finish();
    PhysicalOperator trained = chosen(world);

    String json = new String(Json.write(trained), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(json).contains("\"technique\":\"model-cascade\"", "\"proxy\":\"p\"");
    assertThat(CascadeWorld.WITH_PROXY.matches(trained)).isTrue();
    assertThat(trained.id()).isEqualTo("model-cascade(p,m,target=0.9)");
  }
}
