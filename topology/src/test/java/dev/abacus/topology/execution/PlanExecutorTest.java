package dev.abacus.topology.execution;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;

class PlanExecutorTest {

  private static final PhysicalOperator CALL = new ModelSelection("m");
  private static final Document DOCUMENT =
      Document.empty().with("text", TextNode.valueOf("hello ünïcode"));
  private static final Document MAPPED = DOCUMENT.with("y", TextNode.valueOf("Y"));

  /** Filter, project, map, project. */
  private static final PhysicalPlan PLAN =
      new PhysicalPlan(
          "p",
          1,
          new PlanChoice(
              List.of(
                  new PlanStep(new SemanticFilter("keep", "in", "c", List.of("text")), CALL),
                  new PlanStep(new Project("narrow", "keep", List.of("text")), new Relational()),
                  new PlanStep(
                      new SemanticMap(
                          "map",
                          "narrow",
                          "i",
                          List.of(),
                          List.of(new Field("y", new FieldType.StringType(List.of()), "", false))),
                      CALL),
                  new PlanStep(new Project("last", "map", List.of("y")), new Relational())),
              new Estimate(1, 0, 0)),
          ObjectiveParser.parse("maximize quality"),
          List.of());

  private final PlanExecutor executor = new PlanExecutor(new OperatorRuntime(Embedders.of()));
  private final List<Checkpoint> reached = new ArrayList<>();

  private PlanOutcome run(Checkpoint from, ScriptedModelClient.Line... script)
      throws InterruptedException {
    return executor.run(PLAN.steps(), from, new ScriptedModelClient(script), reached::add);
  }

  private static final ExecutionStats ONE_CALL =
      new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 0, 1));
  private static final ExecutionStats TWO_CALLS =
      new ExecutionStats(0.02, 1.0, 2, TokenCounts.of(20, 0, 2));

  @Test
  void aDocumentPassesAllStepsWithACheckpointAfterEachSemanticStep() throws InterruptedException {
    PlanOutcome outcome =
        run(Checkpoint.start(DOCUMENT), say("{\"satisfied\": true}"), say("{\"y\": \"Y\"}"));
    assertThat(outcome)
        .isEqualTo(new PlanOutcome.Result(List.of(MAPPED.only(List.of("y"))), false, TWO_CALLS));
    assertThat(reached)
        .containsExactly(
            new Checkpoint(1, DOCUMENT, ONE_CALL), new Checkpoint(3, MAPPED, TWO_CALLS));
  }

  @Test
  void aRestoredDocumentResumesWithoutPayingAgain() throws InterruptedException {
    Checkpoint stored =
        CheckpointSerializer.LAYOUT.read(
            CheckpointSerializer.LAYOUT.toBytes(new Checkpoint(3, MAPPED, TWO_CALLS)));
    assertThat(run(stored))
        .isEqualTo(new PlanOutcome.Result(List.of(MAPPED.only(List.of("y"))), false, TWO_CALLS));
    assertThat(run(new Checkpoint(4, DOCUMENT, ExecutionStats.NONE)))
        .isEqualTo(new PlanOutcome.Result(List.of(DOCUMENT), false, ExecutionStats.NONE));
  }

  @Test
  void aFilterEndsTheExecution() throws InterruptedException {
    assertThat(run(Checkpoint.start(DOCUMENT), say("{\"satisfied\": false}")))
        .isEqualTo(new PlanOutcome.Filtered("keep", ONE_CALL));
    assertThat(reached).isEmpty();
  }

  @Test
  void aFailureEndsTheExecutionWithItsOperatorAndStats() throws InterruptedException {
    ModelFailure failure = new ModelFailure.Refused(400, "no");
    assertThat(run(Checkpoint.start(DOCUMENT), say("{\"satisfied\": true}"), fail(failure)))
        .isEqualTo(
            new PlanOutcome.Failed(
                "map",
                new OperatorFailure.ModelFailed("m", failure),
                1,
                DOCUMENT,
                new ExecutionStats(0.02, 1.0, 2, TokenCounts.of(10, 0, 1))));
  }

  @Test
  void aCheckpointOfAnotherPlanIsRefused() {
    assertThatThrownBy(() -> run(new Checkpoint(5, DOCUMENT, ExecutionStats.NONE)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void checkpointsAreReadBackFromTheirBytes() {
    for (int step : new int[] {0, 1, 70_000}) {
      Checkpoint progress = new Checkpoint(step, MAPPED, new ExecutionStats(1.0 / 3, 2.5, 12));
      assertThat(CheckpointSerializer.LAYOUT.read(CheckpointSerializer.LAYOUT.toBytes(progress)))
          .isEqualTo(progress);
    }
  }

  @Test
  void outputsOfAOneToManyStepRunTogetherAndShareACheckpoint() throws InterruptedException {
    SemanticMap split =
        new SemanticMap(
            "split",
            "in",
            "i",
            List.of(),
            List.of(new Field("y", new FieldType.StringType(List.of()), "", false)),
            Cardinality.MANY);
    SemanticFilter keep = new SemanticFilter("keep", "split", "c", List.of("y"));
    List<PlanStep> steps = List.of(new PlanStep(split, CALL), new PlanStep(keep, CALL));
    List<Document> made = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      made.add(DOCUMENT.with("y", TextNode.valueOf("" + i)));
    }
    PlanExecutor scripted =
        new PlanExecutor((operator, _, document, _) -> {
          ExecutionStats stats = new ExecutionStats(1, 2, 1);
          if (operator.equals(split)) {
            return new OperatorOutcome.Kept(made, stats, null);
          }
          return document.get("y").asInt() % 3 == 0
              ? new OperatorOutcome.Dropped(stats)
              : new OperatorOutcome.Kept(document, stats);
        });
    List<Document> kept =
        made.stream().filter(document -> document.get("y").asInt() % 3 != 0).toList();

    PlanOutcome outcome =
        scripted.run(steps, Checkpoint.start(DOCUMENT), new ScriptedModelClient(), reached::add);

    assertThat(outcome)
        .isEqualTo(new PlanOutcome.Result(kept, true, new ExecutionStats(31, 4, 31)));
    assertThat(reached.getFirst())
        .isEqualTo(new Checkpoint(1, made, true, new ExecutionStats(1, 2, 1)));
    Checkpoint stored =
        CheckpointSerializer.LAYOUT.read(CheckpointSerializer.LAYOUT.toBytes(reached.getFirst()));
    assertThat(stored).isEqualTo(reached.getFirst());
    assertThat(scripted.run(steps, stored, new ScriptedModelClient(), _ -> {})).isEqualTo(outcome);
  }

  @Test
  void aOneToManyStepWithoutOutputsEndsTheExecution() throws InterruptedException {
    PlanExecutor nothing =
        new PlanExecutor(
            (_, _, _, _) -> new OperatorOutcome.Kept(List.of(), ExecutionStats.NONE, null));

    assertThat(
            nothing.run(
                PLAN.steps(), Checkpoint.start(DOCUMENT), new ScriptedModelClient(), _ -> {}))
        .isEqualTo(new PlanOutcome.Filtered("keep", ExecutionStats.NONE));
  }

  @Test
  void damagedCheckpointsAreRefused() {
    byte[] good = CheckpointSerializer.LAYOUT.toBytes(Checkpoint.start(DOCUMENT));
    byte[] otherVersion = good.clone();
    otherVersion[0] = 9;
    for (byte[] bad :
        List.of(
            new byte[0],
            new byte[] {1, 0},
            otherVersion,
            java.util.Arrays.copyOf(good, good.length - 1))) {
      assertThatThrownBy(() -> CheckpointSerializer.LAYOUT.read(bad))
          .isInstanceOf(SerializationException.class);
    }
  }
}
