package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.loop.LoopAction;
import dev.abacus.optimizer.loop.LoopEvent;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.OptimizerLoop;
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
 * An optimizer loop with a data plane that answers at once: the records that would stand on topics
 * are handed over in their order, so that a search depends on its seed alone.
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

  /** Carries out the sample tasks of a wave; observations in the order of the tasks. */
  @FunctionalInterface
  public interface DataPlane {
    List<Observation> sample(List<SampleTask> wave) throws InterruptedException;
  }

  /**
   * What a search found.
   *
   * @param plan null if what was sampled is not enough for one
   * @param samples that it drew
   * @param usd that they cost, the judge included
   * @param seconds that they would have taken, if those of a wave run side by side and nothing else
   *     takes time
   */
  public record Found(@Nullable PhysicalPlan plan, int samples, double usd, double seconds) {}

  /** Searches until the loop wants nothing more. */
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
      // Until nothing is left to do.
    }
    return new Found(search.active, search.samples, search.usd, search.seconds);
  }

  /** Whether the loop wanted anything. */
  private boolean step() throws InterruptedException {
    List<LoopAction> actions = loop.decide();
    List<SampleTask> tasks = new ArrayList<>();
    for (LoopAction action : actions) {
      tell(action.carriedOut());
      switch (action) {
        case LoopAction.IssueSample(SampleTask task, var _) -> tasks.add(task);
        case LoopAction.Publish(ControlRecord record) -> follow(record);
        case LoopAction.Believe _, LoopAction.Teach _ -> {
          // Nothing that decides what runs.
        }
      }
    }
    double slowest = 0;
    for (Observation observation : dataPlane.sample(tasks)) {
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
        // Nothing that decides what runs.
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
