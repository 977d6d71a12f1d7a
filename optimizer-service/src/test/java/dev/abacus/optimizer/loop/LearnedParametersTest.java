package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.estimate.Evidence;
import dev.abacus.optimizer.learned.JoinThresholds;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.loop.state.EvidenceKey;
import dev.abacus.optimizer.loop.state.LearnedParameters;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.Evidence.Embedded;
import dev.abacus.schemas.observation.Evidence.Pair;
import dev.abacus.schemas.observation.Evidence.Pairs;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.PairCondition;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SampleBudget;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LearnedParametersTest {

  private static final int EXAMPLES = 80;
  private static final PhysicalOperator MODEL = new ModelSelection("m");
  private static final PhysicalOperator CASCADE = new LearnedCascade("m", "e", 0.9, null);

  /** A filter on examples of which every other one is kept; the model is right, at a price. */
  private static final class World {

    final List<LoopEvent> topics = new ArrayList<>();
    final List<PhysicalPlan> plans = new ArrayList<>();
    final boolean tellsApart;
    OptimizerLoop loop = loop();

    World(boolean tellsApart) {
      this.tellsApart = tellsApart;
      Program program =
          TestPrograms.of(
              "minimize cost subject to quality >= 0.8",
              new SampleBudget.Invocations(2 * EXAMPLES),
              TestPrograms.filter("keep", "messages"));
      tell(new LoopEvent.ControlSet(new ControlRecord.ProgramSet(program)));
      for (int i = 0; i < EXAMPLES; i++) {
        ValidationExample example = TestPrograms.example(i);
        tell(
            new LoopEvent.ExampleSet(
                new ValidationExample(
                    example.id(),
                    example.source(),
                    example.document(),
                    Map.of("keep", BooleanNode.valueOf(i % 2 == 0)))));
      }
    }

    static OptimizerLoop loop() {
      return new OptimizerLoop(
          TestPrograms.NAME,
          PaperSettings.of(
              11,
              6,
              4,
              SearchOptions.DEFAULT,
              _ -> Map.of("keep", List.of(CASCADE, MODEL)),
              ModelCatalogue.of(List.of())));
    }

    void tell(LoopEvent event) {
      topics.add(event);
      loop.apply(event);
    }

    World finish() {
      for (List<LoopEvent.Caused> actions = loop.decide();
          !actions.isEmpty();
          actions = loop.decide()) {
        for (LoopEvent.Caused action : actions) {
          topics.add(action);
          switch (action) {
            case DrawnSample(SampleTask task, SampleStamp _, var _) ->
                tell(new LoopEvent.Observed(observation(task)));
            case LoopEvent.ControlSet(ControlRecord.PlanPublished(PhysicalPlan plan)) ->
                plans.add(plan);
            case LoopEvent.Caused _ -> {
              // Only plans are looked at.
            }
          }
        }
      }
      return this;
    }

    private Observation observation(SampleTask task) {
      if (task.evidenceOnly()) {
        return embedded(task);
      }
      boolean kept = Objects.requireNonNull(task.label()).booleanValue();
      return Observation.builder(
              task.id(), task.program(), "keep", task.physical().id(), task.exampleId())
          .outcome(kept ? Outcome.KEPT : Outcome.DROPPED)
          .outputs(kept ? List.of(task.input()) : List.<Document>of())
          .quality(1.0)
          .scoredBy(ScoredBy.LABEL)
          .cost(0.01)
          .latency(1)
          .evidence(evidence(task))
          .build();
    }

    private Observation embedded(SampleTask task) {
      return Observation.builder(
              task.id(), task.program(), "keep", task.physical().id(), task.exampleId())
          .outcome(Outcome.EMBEDDED)
          .quality(null)
          .scoredBy(ScoredBy.NOBODY)
          .latency(0.02)
          .evidence(evidence(task))
          .build();
    }

    private dev.abacus.schemas.observation.@Nullable Evidence evidence(SampleTask task) {
      if (!(task.physical() instanceof LearnedCascade)) {
        return null;
      }
      JsonNode label = Objects.requireNonNull(task.label());
      float noise = (SeededHash.of(3, task.exampleId()) & 0xff) / 255f;
      float side = label.booleanValue() ? 1 : -1;
      ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      bytes.putFloat(tellsApart ? side : 0.1f).putFloat(noise);
      return new Embedded(
          "e", Base64.getEncoder().encodeToString(bytes.array()), label, true, null, null);
    }

    PhysicalOperator chosen() {
      return plans.getLast().steps().getFirst().physical();
    }
  }

  @Test
  void aCascadeThatLearnedToAnswerAloneIsChosenForItsPrice() {
    World world = new World(true).finish();

    assertThat(world.chosen()).isInstanceOf(LearnedCascade.class);
    LearnedCascade chosen = (LearnedCascade) world.chosen();
    assertThat(Objects.requireNonNull(chosen.classifier()).examples()).isEqualTo(EXAMPLES);
    PhysicalPlan plan = world.plans.getLast();
    assertThat(plan.estimate().cost()).isLessThan(0.005);
    assertThat(plan.estimate().quality()).isGreaterThan(0.9);
    assertThat(plan.frontier()).contains(plan.choice());
    assertThat(Objects.requireNonNull(world.loop.status()).spentUsd())
        .as("what was paid, not what it would cost now")
        .isCloseTo(0.01 * 2 * EXAMPLES, within(1e-9));
  }

  @Test
  void aCascadeThatLearnedNothingIsNotChosen() {
    assertThat(new World(false).finish().chosen()).isEqualTo(MODEL);
  }

  @Test
  void tasksCarryNoParametersSoThatEverySampleTeaches() {
    assertThat(new World(true).finish().topics)
        .filteredOn(DrawnSample.class::isInstance)
        .allSatisfy(
            event -> assertThat(((DrawnSample) event).task().physical()).isIn(MODEL, CASCADE));
  }

  @Test
  void aRestartLearnsTheSameParametersToTheByte() {
    World world = new World(true).finish();
    byte[] before = Json.write(world.plans.getLast().choice());
    List<LoopEvent> withoutPlans =
        world.topics.stream()
            .filter(event ->
                !(event instanceof LoopEvent.ControlSet(ControlRecord record))
                    || record instanceof ControlRecord.ProgramSet)
            .toList();
    world.loop = World.loop();
    withoutPlans.forEach(world.loop::apply);

    world.finish();

    assertThat(Json.write(world.plans.getLast().choice())).isEqualTo(before);
  }

  @Test
  void aRestartWithItsPlansHasNothingToDo() {
    World world = new World(true).finish();
    world.loop = World.loop();
    world.topics.stream().toList().forEach(world.loop::apply);

    assertThat(world.loop.decide()).isEmpty();
  }

  @Test
  void aPinnedCascadeIsTrainedAndKeepsToThePin() {
    World world = new World(true).finish();
    world.tell(
        new LoopEvent.ControlSet(new ControlRecord.Pinned(TestPrograms.NAME, "keep", CASCADE)));
    world.finish();

    assertThat(((LearnedCascade) world.chosen()).classifier()).isNotNull();
    assertThat(world.loop.decide()).isEmpty();
  }

  @Test
  void aJoinsSampleCountsAsItWouldWithTheThresholdsOfTheOthers() {
    PhysicalOperator join = new EmbeddingJoin("m", "e", null, null);
    SampleTask task =
        SampleTask.builder("t", TestPrograms.NAME)
            .operator(
                new ReferenceJoin(
                    "pairs",
                    "messages",
                    "items",
                    "They fit.",
                    PairCondition.NONE,
                    List.of(),
                    JoinKind.INNER,
                    "item",
                    false))
            .physical(join)
            .exampleId("e1")
            .input(Document.empty())
            .judge("judge")
            .build();
    Observation seen =
        Observation.builder("t", TestPrograms.NAME, "pairs", join.id(), "e1")
            .outcome(Outcome.KEPT)
            .quality(0.5)
            .scoredBy(ScoredBy.LABEL)
            .cost(0.04)
            .latency(4)
            .evidence(
                new Pairs(
                    List.of(
                        new Pair("a", 0.1, false, true, 97.0, true),
                        new Pair("b", 0.2, true, true, 1.0, true),
                        new Pair("c", 0.5, true, true, 1.0, true),
                        new Pair("d", 0.9, true, true, 1.0, false)),
                    0.05))
            .build();
    LearnedParameters learned =
        new LearnedParameters(
            Map.of(),
            Map.of(
                new EvidenceKey("pairs", "e"),
                new LearnedParameters.Thresholds(
                    new JoinThresholds(0.35, 0.75), _ -> new JoinThresholds(0.3, 0.8))),
            Map.of(),
            Map.of(),
            false);

    Evidence evidence = learned.unseen(task, Evidence.of(task, seen, false));
    Observation unseen = evidence.seen();

    assertThat(evidence.measured().seen()).isEqualTo(seen);
    assertThat(evidence.lineage()).isEqualTo(new Evidence.Lineage("e", seen.exampleId(), seen));
    // One of 100 pairs is asked about. Of three matches, one is rejected wrongly.
    assertThat(unseen.cost()).isEqualTo(0.0004);
    assertThat(unseen.quality()).isEqualTo(0.8);
    assertThat(unseen.outputCount()).isEqualTo(2);
    assertThat(unseen.latency()).isEqualTo(0.05);
    assertThat(learned.equip("pairs", join)).isEqualTo(new EmbeddingJoin("m", "e", 0.35, 0.75));
    PhysicalOperator pinned = new EmbeddingJoin("m", "e", 0.1, 0.2);
    assertThat(learned.equip("pairs", pinned)).isEqualTo(pinned);
  }
}
