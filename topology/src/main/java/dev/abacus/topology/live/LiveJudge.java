package dev.abacus.topology.live;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.execution.StepListener;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.scoring.Score;
import dev.abacus.topology.scoring.Scorer;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the judge score the outputs of a share of live documents, to detect a drift of quality. The
 * program sets the share ({@code governor: { judge: 0.01 }}). A hash of the document draws them
 * ({@link Envelope#draw}), for each operator anew. A failure of an implementation scores 0, as in
 * samples; a fault of a provider says nothing about it.
 *
 * <p>Scoring runs on threads of its own and delays no document. What was drawn and cannot be scored
 * counts as missing: load must not choose what is measured. Close loses those that are running. The
 * cost of scoring counts as cost of live documents.
 */
public final class LiveJudge implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LiveJudge.class);
  private static final int MAX_CONCURRENT = 16;

  private final Scorer scorer;
  private final ModelClient models;
  private final References references;
  private final ProgramCounters counters;
  private final Tracing tracing;
  private final Semaphore permits = new Semaphore(MAX_CONCURRENT);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * A judge for the documents of one program.
   *
   * @param tracing makes a trace of each judgement
   */
  public LiveJudge(
      Scorer scorer,
      ModelClient models,
      References references,
      ProgramCounters counters,
      Tracing tracing) {
    this.scorer = scorer;
    this.models = models;
    this.references = references;
    this.counters = counters;
    this.tracing = tracing;
  }

  /**
   * The listener of a document; {@link StepListener#NONE} if the program has no share.
   *
   * @param plan of the document
   */
  StepListener listener(@Nullable Program program, PhysicalPlan plan, Envelope document) {
    Double share = program == null ? null : program.governance().judge();
    if (program == null || share == null) {
      return StepListener.NONE;
    }
    return (step, input, outcome) -> {
      if (step.logical().isSemantic() && document.draw("judge " + step.logical().id()) < share) {
        judge(program, plan, step, input, outcome);
      }
    };
  }

  private void judge(
      Program program, PhysicalPlan plan, PlanStep step, Document input, OperatorOutcome outcome) {
    if (outcome instanceof OperatorOutcome.Failed failed) {
      boolean fault =
          failed.failure() instanceof OperatorFailure.ModelFailed model
              && model.failure().isProviderFault();
      if (!fault) {
        counters.judgedFailure(plan.epoch(), step.logical().id());
      }
    } else if (permits.tryAcquire()) {
      Context document = Context.current();
      try {
        threads.execute(() -> {
          try (Tracing.BesideWork trace =
              tracing.beside("judge " + step.logical().id(), document)) {
            Attributes about =
                Attributes.builder()
                    .put("abacus.program", program.name())
                    .put("abacus.plan.epoch", plan.epoch())
                    .put("abacus.operator", step.logical().id())
                    .put("abacus.implementation", step.physical().id())
                    .build();
            trace.span().setAllAttributes(about);
            Double quality = score(program, plan, step, input, outcome);
            if (quality != null) {
              tracing.evaluated(document, about, quality);
            }
          } finally {
            permits.release();
          }
        });
      } catch (RejectedExecutionException e) {
        // Closed. Documents that are still in flight must not fail.
        permits.release();
      }
    } else {
      counters.notJudged(plan.epoch(), step.logical().id());
    }
  }

  /** The score; null if there is none. */
  private @Nullable Double score(
      Program program, PhysicalPlan plan, PlanStep step, Document input, OperatorOutcome outcome) {
    String operator = step.logical().id();
    SampleTask task =
        SampleTask.builder("", program.name())
            .operator(step.logical())
            .physical(step.physical())
            .exampleId("")
            .input(input)
            .judge(program.judge())
            .judgeReasoning(program.judgeReasoning())
            .judgeExamples(
                program.judgeExamples() > 0
                    ? plan.graded().getOrDefault(operator, List.of())
                    : List.of())
            .build();
    try {
      Score score =
          new CallPurpose(program.name(), operator, CallPurpose.Kind.JUDGE)
              .call(() -> scorer.score(task, outcome, models, references));
      Span.current().setAttribute("abacus.cost.usd", score.judgeCost());
      counters.spent(score.judgeCost());
      if (score.quality() == null) {
        counters.notJudged(plan.epoch(), operator);
      } else {
        Boolean kept =
            step.logical().decides()
                ? Boolean.valueOf(outcome instanceof OperatorOutcome.Kept)
                : null;
        Span.current().setAttribute("abacus.quality", score.quality());
        counters.judged(plan.epoch(), operator, score.quality(), kept);
      }
      return score.quality();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | StackOverflowError e) {
      LOG.warn("Cannot score an output of {}: {}", operator, e.toString());
      counters.notJudged(plan.epoch(), operator);
    }
    return null;
  }

  /** Interrupts running calls. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
