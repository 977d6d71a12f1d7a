package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.input.OperatorInput;
import dev.abacus.optimizer.loop.state.EvidenceKey;
import dev.abacus.optimizer.loop.state.Fingerprint;
import dev.abacus.optimizer.loop.state.Fingerprints;
import dev.abacus.optimizer.loop.state.LearnedParameters;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.state.SampleLedger;
import dev.abacus.optimizer.loop.state.SampleStamp;
import dev.abacus.optimizer.loop.state.StampedTask;
import dev.abacus.optimizer.loop.wholeplan.PlanReplay;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the sample tasks of one wave. A task's id is a hash of all that its result depends on:
 * program, operator with its metrics and judge, implementation, example with its label, and input
 * document. So what was asked for once is recognised, here and by the data plane. What failed in an
 * earlier round is asked for again under an id that names the round as well.
 */
public final class TaskFactory {

  private final ProgramSnapshot view;
  private final SampleLedger ledger;
  private final Fingerprints fingerprints;
  private final String round;

  public TaskFactory(
      ProgramSnapshot view, SampleLedger ledger, Fingerprints fingerprints, String round) {
    this.view = view;
    this.ledger = ledger;
    this.fingerprints = fingerprints;
    this.round = round;
  }

  boolean isKnown(String taskId) {
    return ledger.isIssued(taskId);
  }

  /**
   * A task with its stamp, for the sake of an implementation.
   *
   * @param chargedTo id of the operator that it is drawn for
   * @param position in the wave, from 0
   */
  StampedTask create(
      LogicalOperator operator,
      PhysicalOperator physical,
      String exampleId,
      OperatorInput.Ready input,
      String chargedTo,
      int position) {
    return create(operator, physical, exampleId, input, chargedTo, position, false);
  }

  /** A task for the sake of a whole plan. */
  StampedTask alongPlan(PlanReplay.Missing missing, String exampleId, int position) {
    LogicalOperator operator = missing.operator();
    ValidationExample example = Objects.requireNonNull(view.example(exampleId));
    return create(
        operator,
        missing.physical(),
        exampleId,
        new OperatorInput.Ready(missing.input(), example.label(operator.id())),
        operator.id(),
        position,
        true);
  }

  /**
   * A task that only embeds a labelled example. It is the same for all implementations that embed
   * alike, one of which is named.
   *
   * @param input with what is read at least
   */
  StampedTask evidence(
      LogicalOperator operator,
      PhysicalOperator physical,
      String exampleId,
      OperatorInput.Ready input,
      int position) {
    String embedder = Objects.requireNonNull(EvidenceKey.of(operator.id(), physical)).embedder();
    return create(
        operator, physical, exampleId, input, operator.id(), position, false, "embed " + embedder);
  }

  private StampedTask create(
      LogicalOperator operator,
      PhysicalOperator physical,
      String exampleId,
      OperatorInput.Ready input,
      String chargedTo,
      int position,
      boolean alongPlan) {
    return create(operator, physical, exampleId, input, chargedTo, position, alongPlan, null);
  }

  private StampedTask create(
      LogicalOperator operator,
      PhysicalOperator physical,
      String exampleId,
      OperatorInput.Ready input,
      String chargedTo,
      int position,
      boolean alongPlan,
      @Nullable String evidenceOnly) {
    Program program = view.program();
    ValidationExample example = Objects.requireNonNull(view.example(exampleId));
    String definition = fingerprints.definition(program, operator);
    String evidence = fingerprints.evidence(example, operator.id());
    String id =
        Fingerprint.of(
            Fingerprint.bytes(program.name()),
            Fingerprint.bytes(definition),
            Fingerprint.bytes(evidenceOnly == null ? physical.id() : evidenceOnly),
            Fingerprint.bytes(example.id()),
            input.document().toBytes(),
            Fingerprint.bytes(evidence));
    if (ledger.isIssued(id)) {
      id = Fingerprint.of(Fingerprint.bytes(id), Fingerprint.bytes(round));
    }
    SampleTask task =
        SampleTask.builder(id, program.name())
            .operator(operator, LearnedParameters.asSampled(physical, view.arms(operator)))
            .example(example.id(), input.document(), input.label())
            .metrics(Fingerprint.metrics(program, operator))
            .judge(program.judge())
            .evidenceOnly(evidenceOnly != null)
            .build();
    return new StampedTask(
        task,
        new SampleStamp(
            ledger.nextSequence() + position,
            ledger.nextWave(),
            round,
            chargedTo,
            definition,
            evidence,
            alongPlan));
  }
}
