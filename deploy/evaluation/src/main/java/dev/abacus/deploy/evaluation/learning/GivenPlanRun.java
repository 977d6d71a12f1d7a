package dev.abacus.deploy.evaluation.learning;

import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.job.InputDocument;
import dev.abacus.deploy.job.Job;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.local.PlaneSettings;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.LearnedAnswers;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Documents pass through Kafka, a worker and an optimizer in this process, with one plan that asks
 * a model in each operator. There is no search: all further plans are what live documents teach.
 *
 * @param job the documents and their outcomes
 */
public record GivenPlanRun(LocalStack stack, ControlTopic control, Program program, Job job)
    implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMillis(200);
  private static final Duration STANDSTILL = Duration.ofMinutes(3);

  /**
   * Starts a stack with the plan.
   *
   * @param model of all operators
   * @param estimate of the plan
   * @param learned the classifiers of the plan, by operator; nothing is learnt beyond them. Null
   *     for none and for learning what documents teach
   */
  public static GivenPlanRun start(
      LocalStack.Settings settings,
      Program program,
      String model,
      Estimate estimate,
      @Nullable Map<String, LearnedAnswers> learned,
      Consumer<String> progress) {
    // Without examples there are no samples: all calls are for documents.
    PlaneSettings planes =
        new PlaneSettings(settings.planes().worker(), Map.of(OptimizerConfig.STREAM_EXAMPLES, "0"));
    LocalStack stack = LocalStack.start(settings.withRegistry(false).withPlanes(planes), progress);
    stack.createTopics(program);
    ControlTopic control = new ControlTopic(stack.connection(), ModelCatalogue.builtIn());
    PhysicalPlan plan = BenchmarkProgram.plan(program, 1, _ -> model, estimate);
    control.write(
        List.of(
            new ControlRecord.ProgramSet(program),
            new ControlRecord.PlanPublished(
                learned == null ? plan : plan.withLearned(1, learned, List.of())),
            // Under a plan that a user has put into force, nothing is learnt.
            new ControlRecord.Activated(
                program.name(),
                1,
                1,
                "given",
                learned == null ? ControlRecord.OPTIMIZER : "bench")));
    return new GivenPlanRun(stack, control, program, Job.open(stack.connection(), program));
  }

  /**
   * Sends documents and waits for their outcomes.
   *
   * @param polled runs whenever outcomes may have arrived
   * @throws IllegalStateException if nothing arrives for too long, or if documents fail
   */
  public void send(List<InputDocument> documents, Runnable polled) {
    job.send(documents);
    job.endInput();
    long moved = System.nanoTime();
    while (!job.complete() || !job.countersAreComplete()) {
      moved = job.poll(PATIENCE) ? System.nanoTime() : moved;
      polled.run();
      if (System.nanoTime() - moved > STANDSTILL.toNanos()) {
        throw new IllegalStateException(job.snapshot().waitingFor());
      }
    }
    if (!job.failures().isEmpty()) {
      throw new IllegalStateException("documents failed: " + job.failures().getFirst());
    }
  }

  @Override
  public void close() {
    job.close();
    stack.close();
  }
}
