package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.OptimizerLoop;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs an optimizer loop without Kafka. The data plane answers each wave at once and in order, so
 * that a search depends only on its seed.
 */
public final class OfflineSearch {

  private final OptimizerLoop loop;
  private final DataPlane dataPlane;
  private final Map<Long, PhysicalPlan> plans = new HashMap<>();
  private @Nullable PhysicalPlan active;
  private int samples;
  private double usd;
  private double seconds;

  private OfflineSearch(OptimizerLoop loop, DataPlane dataPlane) {
    this.loop = loop;
    this.dataPlane = dataPlane;
  }

  /** Executes sample tasks, those of a wave in their order. */
  @FunctionalInterface
  public interface DataPlane {
    Observation sample(SampleTask task) throws InterruptedException;
  }

  /**
   * Result of a search.
   *
   * @param plan null if the samples do not suffice for a plan
   * @param samples number of samples
   * @param usd cost of the samples in USD, including the judge
   * @param seconds modelled time in seconds: samples of a wave run in parallel, all else takes no
   *     time
   */
  public record Found(@Nullable PhysicalPlan plan, int samples, double usd, double seconds) {}

  /** Searches until the loop emits no more actions. */
  public static Found run(
      Program program, List<ValidationExample> examples, LoopSettings settings, DataPlane dataPlane)
      throws InterruptedException {
    OfflineSearch search =
        new OfflineSearch(new OptimizerLoop(program.name(), settings), dataPlane);
    search.tell(new LoopEvent.ControlSet(new ControlRecord.ProgramSet(program)));
    for (ValidationExample example : examples) {
      search.tell(new LoopEvent.ExampleSet(example));
    }
    while (search.step()) {
      // step() does the work.
    }
    return new Found(search.active, search.samples, search.usd, search.seconds);
  }

  /** Executes one round; returns whether the loop emitted any action. */
  private boolean step() throws InterruptedException {
    List<LoopEvent.Caused> actions = loop.decide();
    List<SampleTask> tasks = new ArrayList<>();
    for (LoopEvent.Caused action : actions) {
      tell(action);
      switch (action) {
        case DrawnSample(SampleTask task, var _, var _) -> tasks.add(task);
        case LoopEvent.ControlSet(ControlRecord record) -> follow(record);
        case LoopEvent.Transferred _, LoopEvent.OperatorLearned _ -> {
          // No effect on execution.
        }
      }
    }
    double slowest = 0;
    for (SampleTask task : tasks) {
      Observation observation = dataPlane.sample(task);
      samples++;
      usd += observation.spent();
      slowest = Math.max(slowest, observation.latency());
      tell(new LoopEvent.Observed(observation));
    }
    seconds += slowest;
    return !actions.isEmpty();
  }

  private void follow(ControlRecord record) {
    switch (record) {
      case ControlRecord.PlanPublished(PhysicalPlan plan) -> plans.put(plan.epoch(), plan);
      case ControlRecord.Activated activated -> active = plans.get(activated.epoch());
      default -> {
        // No effect on execution.
      }
    }
  }

  private void tell(LoopEvent event) {
    String refusal = loop.apply(event);
    if (refusal != null) {
      throw new IllegalStateException(refusal);
    }
  }
}
