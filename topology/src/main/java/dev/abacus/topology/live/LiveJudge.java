package dev.abacus.topology.live;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.execution.StepListener;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.scoring.Score;
import dev.abacus.topology.scoring.Scorer;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the judge score the outputs of a share of live documents, as the program asks for ({@code
 * governor: { judge: 0.01 }}), so that a drift of quality is seen. It works beside the documents
 * and holds none up; when it cannot keep pace it skips some, and what is under way when the
 * instance stops is lost: only the means count. What it costs is spending on live documents.
 */
public final class LiveJudge implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LiveJudge.class);
  private static final int AT_ONCE = 16;

  private final Scorer scorer;
  private final ModelClient models;
  private final References references;
  private final ProgramCounters counters;
  private final DoubleSupplier chance;
  private final Semaphore room = new Semaphore(AT_ONCE);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * A judge of one program's documents.
   *
   * @param chance evenly distributed in [0, 1)
   */
  public LiveJudge(
      Scorer scorer,
      ModelClient models,
      References references,
      ProgramCounters counters,
      DoubleSupplier chance) {
    this.scorer = scorer;
    this.models = models;
    this.references = references;
    this.counters = counters;
    this.chance = chance;
  }

  /** Who is to watch the next document; mostly nobody. */
  StepListener witness(@Nullable Program program, long epoch) {
    Double share = program == null ? null : program.governance().judge();
    if (program == null || share == null || chance.getAsDouble() >= share) {
      return StepListener.NONE;
    }
    return (step, input, outcome) -> judge(program, epoch, step, input, outcome);
  }

  private void judge(
      Program program, long epoch, PlanStep step, Document input, OperatorOutcome outcome) {
    boolean scorable = step.logical().isSemantic() && !(outcome instanceof OperatorOutcome.Failed);
    if (scorable && room.tryAcquire()) {
      try {
        threads.execute(() -> {
          try {
            score(program, epoch, step, input, outcome);
          } finally {
            room.release();
          }
        });
      } catch (RejectedExecutionException e) {
        // Closed. Documents that are still under way then must not fail for it.
        room.release();
      }
    }
  }

  private void score(
      Program program, long epoch, PlanStep step, Document input, OperatorOutcome outcome) {
    SampleTask task =
        SampleTask.builder("", program.name())
            .operator(step.logical(), step.physical())
            .example("", input, null)
            .judge(program.judge())
            .build();
    try {
      Score score = scorer.score(task, outcome, models, references);
      counters.spent(score.judgeCost());
      if (score.quality() != null) {
        counters.judged(epoch, step.logical().id(), score.quality());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("An output of {} could not be judged: {}", step.logical().id(), e.toString());
    }
  }

  /** Breaks off what is under way. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
