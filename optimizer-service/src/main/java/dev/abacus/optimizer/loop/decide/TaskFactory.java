package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.event.ContentHashes;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp;
import dev.abacus.optimizer.loop.event.SampleLedger;
import dev.abacus.optimizer.loop.input.SampleRequest;
import dev.abacus.optimizer.loop.state.LearnedParameters;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.state.SampledOperator;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Learnable;
import dev.abacus.schemas.plan.PhysicalOperator.WithExamples;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Creates the sample tasks of one wave. The id of a task is a hash of everything that its result
 * depends on: program, operator with its metrics and judge, implementation, example with its label,
 * and input document. So the loop and the data plane recognize a task that was issued before. A
 * sample that failed in an earlier round is issued again under an id that includes the round, and
 * one that a provider prevented under the next id of a chain. The id does not depend on the
 * examples that the judge sees: they change with the first samples of a search.
 */
record TaskFactory(ProgramSnapshot view, SampleLedger ledger, ContentHashes hashes) {

  /** Distinguishes a task from the unavailable one that it replaces. */
  private static final String AGAIN = "again";

  private static final String COMPANION = "companion ";

  private enum Purpose {
    /** Measures an implementation. */
    IMPLEMENTATION,
    /** Measures a whole plan. */
    PLAN,
    /** Embeds a labelled example. */
    EVIDENCE
  }

  private String round() {
    return view.definition().round();
  }

  /** Whether a task may be issued: it is new, and none of its models is left out. */
  boolean mayIssue(SampleTask task) {
    return !ledger.isIssued(task.id()) && !view.availability().isLeftOut(task);
  }

  /**
   * Creates a task that measures an implementation. It has to be {@link #numbered}.
   *
   * @param chargedTo id of the operator whose share of the budget pays for it
   */
  DrawnSample create(SampleRequest request, String chargedTo) {
    return create(request, Purpose.IMPLEMENTATION, chargedTo);
  }

  /** Creates a task that measures a step of a whole plan. It has to be {@link #numbered}. */
  DrawnSample ofPlan(SampleRequest step) {
    return create(step, Purpose.PLAN, step.operator().id());
  }

  /**
   * Creates a task that computes the features of a labelled example. Implementations with the same
   * features share it. It has to be {@link #numbered}.
   */
  DrawnSample evidence(SampleRequest request) {
    return create(request, Purpose.EVIDENCE, request.operator().id());
  }

  /** A task that draws a labelled sample once more for the judge. It has to be numbered. */
  DrawnSample judgement(DrawnSample labelled) {
    SampleTask task = labelled.task();
    SampleStamp stamp = labelled.stamp();
    return new DrawnSample(
        task.forJudge(
            SampledOperator.judgementId(task),
            view.graded().forSample(task.operator(), task.exampleId(), task.input()),
            round()),
        stamp(stamp.chargedTo(), stamp.definition(), stamp.evidence(), false));
  }

  /**
   * Puts samples of one implementation into one call, as live documents share it. Copies of the
   * companions fill the call, in turn; without companions, copies of the samples.
   *
   * @param samples at most as many as the call has documents
   * @param documents of the call
   */
  List<DrawnSample> inOneCall(
      List<DrawnSample> samples, List<DrawnSample> companions, int documents) {
    String call =
        ContentHashes.of(
            samples.stream()
                .map(sample -> ContentHashes.bytes(sample.task().id()))
                .toArray(byte[][]::new));
    List<DrawnSample> tasks = new ArrayList<>();
    for (DrawnSample sample : samples) {
      SampleTask.Batch batch = new SampleTask.Batch(call, documents, false);
      tasks.add(new DrawnSample(sample.task().inBatch(sample.task().id(), batch), sample.stamp()));
    }
    List<DrawnSample> copied = companions.isEmpty() ? samples : companions;
    for (int i = 0; tasks.size() < documents; i++) {
      DrawnSample companion = copied.get(i % copied.size());
      String id = ContentHashes.of(ContentHashes.bytes(call), ContentHashes.bytes(COMPANION + i));
      SampleTask.Batch batch = new SampleTask.Batch(call, documents, true);
      tasks.add(
          new DrawnSample(
              companion.task().inBatch(id, batch),
              companion
                  .stamp()
                  .withChargedTo(samples.getFirst().stamp().chargedTo())
                  .withAlongPlan(samples.getFirst().stamp().alongPlan())));
    }
    return tasks;
  }

  /** The samples of a wave with their sequence numbers. */
  List<DrawnSample> numbered(List<DrawnSample> wave) {
    List<DrawnSample> numbered = new ArrayList<>();
    for (DrawnSample sample : wave) {
      numbered.add(
          new DrawnSample(
              sample.task(), sample.stamp().withSequence(ledger.nextSequence() + numbered.size())));
    }
    return numbered;
  }

  private DrawnSample create(SampleRequest request, Purpose purpose, String chargedTo) {
    Program program = view.program();
    LogicalOperator operator = request.operator();
    ValidationExample example = Objects.requireNonNull(view.example(request.exampleId()));
    String definition = hashes.definition(program, operator);
    String evidence = hashes.evidence(example, operator.id());
    PhysicalOperator physical =
        view.learned()
            .forSample(
                operator,
                LearnedParameters.asSampled(request.physical(), view.arms(operator)),
                example.id(),
                request.input().document());
    String id =
        ContentHashes.of(
            ContentHashes.bytes(program.name()),
            ContentHashes.bytes(definition),
            ContentHashes.bytes(measured(physical, purpose)),
            ContentHashes.bytes(example.id()),
            request.input().document().toBytes(),
            ContentHashes.bytes(evidence));
    id = free(id);
    Map<String, QualityMetric> metrics = ContentHashes.metrics(program, operator);
    boolean judged =
        purpose != Purpose.EVIDENCE
            && SampleTask.needsJudge(operator, request.input().label(), metrics);
    SampleTask task =
        SampleTask.builder(id, program.name())
            .operator(operator)
            .physical(physical)
            .exampleId(example.id())
            .input(request.input().document())
            .label(request.input().label())
            .metrics(metrics)
            .judge(program.judge())
            .judgeReasoning(program.judgeReasoning())
            .judgeExamples(
                judged
                    ? view.graded().forSample(operator, example.id(), request.input().document())
                    : List.of())
            .evidenceOnly(purpose == Purpose.EVIDENCE)
            .weight(request.input().weight())
            .round(round())
            .build();
    return new DrawnSample(task, stamp(chargedTo, definition, evidence, purpose == Purpose.PLAN));
  }

  private SampleStamp stamp(
      String chargedTo, String definition, String evidence, boolean alongPlan) {
    return new SampleStamp(
        ledger.nextSequence(),
        ledger.nextWave(),
        round(),
        chargedTo,
        definition,
        evidence,
        alongPlan);
  }

  /** The id itself, or one that is derived from it if that task failed or was unavailable. */
  private String free(String first) {
    String id = first;
    boolean ofRound = false;
    while (ledger.isIssued(id)) {
      boolean again = ledger.isUnavailable(id);
      if (!again && ofRound) {
        return id;
      }
      ofRound |= !again;
      id = ContentHashes.of(ContentHashes.bytes(id), ContentHashes.bytes(again ? AGAIN : round()));
    }
    return id;
  }

  private static String measured(PhysicalOperator physical, Purpose purpose) {
    return switch (physical) {
      case Learnable learnable when purpose == Purpose.EVIDENCE -> "embed " + learnable.features();
      case WithExamples few when few.examples() > 0 ->
          few.id() + Json.tree(Objects.requireNonNull(few.shown()));
      case PhysicalOperator other -> other.id();
    };
  }
}
